import { join } from 'node:path'
import type { MainIo } from '../main.ts'
import { type DownloadLimits, download } from '../models/download.ts'
import { listModels, modelsFolder, noteModel, readManifest, singleFile } from '../models/model-folder.ts'

/** What `domos models pull` is told. */
export interface PullOptions {
  readonly dataDir: string
  /** An address, or a manifest file. */
  readonly source: string
  /** Needed with an address. */
  readonly sha256: string | undefined
  readonly name: string | undefined
  readonly limits?: Partial<DownloadLimits>
}

/** Prints the models that were pulled. */
export async function printModels(dataDir: string, io: MainIo): Promise<void> {
  const models = await listModels(dataDir)
  if (models.length === 0) {
    io.out('No models. domos models pull URL --sha256 HEX gets one; nothing is built in but what the packages carry.')
    return
  }
  for (const { name, bytes, files } of models) {
    io.out(`${name.padEnd(32)} ${megabytes(bytes).padStart(10)}  ${join(modelsFolder(dataDir), name)}`)
    for (const { path, sha256 } of files) io.out(`  ${path}  sha256:${sha256}`)
  }
}

/** Gets a model, file by file, and tells on standard error how far it is. */
export async function pullModel(options: PullOptions, io: MainIo): Promise<void> {
  const { dataDir, source, sha256, name } = options
  const model = /^https?:/i.test(source) ? singleFile(source, sha256, name) : await readManifest(source)
  const folder = join(modelsFolder(dataDir), model.name)
  let bytes = 0
  for (const file of model.files) {
    const report = createReport(file.path, io)
    bytes += await download({
      ...file,
      path: join(folder, file.path),
      onProgress: report.update,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    }).finally(report.end)
  }
  await noteModel(dataDir, { name: model.name, bytes, pulledAt: Date.now(), files: model.files })
  io.out(folder)
}

/** A line that is rewritten in a terminal; one line a tenth elsewhere. */
function createReport(
  name: string,
  io: MainIo,
): { update(bytes: number, total: number | undefined): void; end(): void } {
  const { stderr } = process
  const isLive = stderr.isTTY === true && io.env['TERM'] !== 'dumb' && io.env['NO_COLOR'] === undefined
  let lastTenth = -1
  return {
    update(bytes, total) {
      const share = total === undefined || total === 0 ? undefined : bytes / total
      const tenth = share === undefined ? Math.floor(bytes / 10_000_000) : Math.floor(share * 10)
      const text = `${name}: ${megabytes(bytes)}${share === undefined ? '' : ` of ${megabytes(total ?? 0)}, ${Math.floor(share * 100)} %`}`
      if (isLive) stderr.write(`\r\u001b[2K${text}`)
      else if (tenth > lastTenth) io.err(text)
      lastTenth = Math.max(lastTenth, tenth)
    },
    end() {
      if (isLive) stderr.write('\r\u001b[2K')
    },
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
