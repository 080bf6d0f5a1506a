import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FixtureAnswer, type FixtureSite, openFixtureSite } from '../browser/fixture-site.ts'

const ROOT = fileURLToPath(new URL('../../../shared/cases', import.meta.url))

interface RouteFile {
  readonly status?: number
  readonly headers?: FixtureAnswer['headers']
  readonly body?: string
  readonly body_base64?: string
  readonly file?: string
  readonly delay_ms?: number
  readonly echo?: boolean
}

/** Whether the collection of cases lies beside this checkout. */
export const hasCases = existsSync(ROOT)

/** Serves the folder of one case: page.html as `/`, and what its routes.json adds. */
export function openCaseSite(name: string): Promise<FixtureSite> {
  const folder = join(ROOT, name)
  const routesFile = join(folder, 'routes.json')
  const given = existsSync(routesFile)
    ? (JSON.parse(readFileSync(routesFile, 'utf8')) as Record<string, RouteFile>)
    : {}
  const routes: Record<string, RouteFile> = { '/': { file: 'page.html' }, ...given }
  return openFixtureSite(
    Object.fromEntries(
      Object.entries(routes).map(([path, route]) => [
        path,
        async (request) => {
          if (route.delay_ms !== undefined) await new Promise((resolve) => setTimeout(resolve, route.delay_ms))
          const { status, headers } = route
          const body =
            route.echo === true
              ? `<title>Received</title><h1>Received</h1><pre>${request.method} ${request.url}</pre>`
              : route.body_base64 !== undefined
                ? Buffer.from(route.body_base64, 'base64')
                : route.file !== undefined
                  ? readFileSync(join(folder, route.file))
                  : (route.body ?? '')
          return {
            body,
            ...(status === undefined ? {} : { status }),
            ...(headers === undefined ? {} : { headers }),
          }
        },
      ]),
    ),
  )
}
