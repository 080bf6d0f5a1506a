import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomosError } from '@domos/spec'

/** A file of a model, as a manifest or the command line names it. */
export interface ModelFile {
  readonly url: string
  readonly sha256: string
  /** Below the model's folder. */
  readonly path: string
}

/** A model that was pulled. */
export interface PulledModel {
  readonly name: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly pulledAt: number
  readonly files: readonly ModelFile[]
}

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}$/
const SHA256 = /^[0-9a-f]{64}$/i

/** Where models are kept. */
export function modelsFolder(dataDir: string): string {
  return join(dataDir, 'models')
}

/** What was pulled, by name. */
export async function listModels(dataDir: string): Promise<readonly PulledModel[]> {
  try {
    return JSON.parse(await readFile(join(modelsFolder(dataDir), 'index.json'), 'utf8')) as readonly PulledModel[]
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new DomosError(
      'unavailable',
      'The index of models cannot be read; remove models/index.json in the data directory.',
    )
  }
}

/** Enters a pulled model; one of the same name is replaced. */
export async function noteModel(dataDir: string, model: PulledModel): Promise<void> {
  const others = (await listModels(dataDir)).filter(({ name }) => name !== model.name)
  const folder = modelsFolder(dataDir)
  await mkdir(folder, { recursive: true })
  const next = join(folder, `index.json.${process.pid}.tmp`)
  await writeFile(next, `${JSON.stringify([...others, model], undefined, 1)}\n`)
  await rename(next, join(folder, 'index.json'))
}

/**
 * The model of a single file.
 * @throws DomosError `invalid_request`
 */
export function singleFile(
  url: string,
  sha256: string | undefined,
  name: string | undefined,
): { name: string; files: ModelFile[] } {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new DomosError('invalid_request', `${url} is no http(s) address.`)
  }
  const path = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
  const model = {
    name: name ?? path.replace(/\.(?:onnx|bin|gguf|tar|gz|bz2|zip)$/gi, ''),
    files: [{ url, sha256: sha256 ?? '', path }],
  }
  checkModel(model)
  return model
}

/**
 * Reads a manifest: `{"name": "…", "files": [{"url": "…", "sha256": "…", "path": "…"}]}`.
 * @throws DomosError `invalid_request`, `not_found`
 */
export async function readManifest(path: string): Promise<{ name: string; files: ModelFile[] }> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (thrown) {
    throw new DomosError('not_found', `${path} cannot be read.`, { cause: thrown })
  }
  let value: { name?: unknown; files?: unknown }
  try {
    value = JSON.parse(text) as typeof value
  } catch {
    throw new DomosError('invalid_request', `${path} is no JSON.`)
  }
  const files = Array.isArray(value?.files) ? (value.files as Partial<ModelFile>[]) : []
  const model = {
    name: String(value?.name ?? ''),
    files: files.map((file) => ({
      url: String(file?.url ?? ''),
      sha256: String(file?.sha256 ?? ''),
      path: String(file?.path ?? file?.url?.split('/').at(-1) ?? ''),
    })),
  }
  checkModel(model)
  return model
}

function checkModel({ name, files }: { readonly name: string; readonly files: readonly ModelFile[] }): void {
  if (!NAME.test(name))
    throw new DomosError('invalid_request', 'A model needs a name of letters, digits, ".", "_", "-".')
  if (files.length === 0) throw new DomosError('invalid_request', `The model ${name} names no files.`)
  for (const { url, sha256, path } of files) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new DomosError('invalid_request', `${JSON.stringify(url)} is no http(s) address.`)
    }
    if (!SHA256.test(sha256)) {
      throw new DomosError('invalid_request', `${url} needs its SHA-256 (64 hex digits); --sha256 names it.`)
    }
    if (path.split('/').some((part) => !NAME.test(part))) {
      throw new DomosError('invalid_request', `${JSON.stringify(path)} is no path below the model's folder.`)
    }
  }
}
