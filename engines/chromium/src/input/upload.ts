import { randomBytes } from 'node:crypto'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomosError } from '@domos/spec'
import { clickAt } from './mouse.ts'
import { placeOf, type Stage } from './stage.ts'

const CHOOSER_MS = 3_000

/** Gives files to a file input, or to what opens a file dialog when it is clicked. */
export async function uploadFiles(
  stage: Stage,
  elementId: string,
  files: readonly { readonly name: string; readonly data: Uint8Array }[],
  signal: AbortSignal,
): Promise<void> {
  const { session, frames } = stage
  const { value: kind } = await frames.call<{ kind: string }>('checked', { ref: { elementId } }, signal)
  const paths = await store(stage, files)
  if (kind.kind === 'file') {
    const handle = await frames.handle({ elementId }, signal)
    await handle.session.send('DOM.setFileInputFiles', { files: paths, objectId: handle.objectId })
    return
  }
  let stop: () => void = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await session.send('Page.setInterceptFileChooserDialog', { enabled: true })
    const opened = new Promise<number | undefined>((resolve) => {
      stop = session.on('Page.fileChooserOpened', ({ backendNodeId }) => resolve(backendNodeId))
      timer = setTimeout(() => resolve(undefined), CHOOSER_MS)
    })
    await clickAt(session, await placeOf(stage, elementId, signal))
    const backendNodeId = await opened
    if (backendNodeId === undefined) {
      throw new DomosError('conflict', 'This is no file field, and clicking it opened no file dialog.', {
        details: { reason: 'NO_FILE_DIALOG' },
      })
    }
    await session.send('DOM.setFileInputFiles', { files: paths, backendNodeId })
  } finally {
    stop()
    clearTimeout(timer)
    session.post('Page.setInterceptFileChooserDialog', { enabled: false })
  }
}

/** Puts the files where the browser may read them, under their names, in a folder of their own. */
async function store(
  stage: Stage,
  files: readonly { readonly name: string; readonly data: Uint8Array }[],
): Promise<string[]> {
  const paths: string[] = []
  for (const { name, data } of files) {
    const folder = join(stage.uploadDirectory, randomBytes(8).toString('hex'))
    const path = join(folder, fileName(name))
    await mkdir(folder, { mode: 0o700 })
    await writeFile(path, data, { mode: 0o600, flag: 'wx' })
    if (stage.account !== undefined) {
      await chown(folder, stage.account.uid, stage.account.gid)
      await chown(path, stage.account.uid, stage.account.gid)
    }
    paths.push(path)
  }
  return paths
}

function fileName(name: string): string {
  const last =
    name
      .split(/[/\\]/)
      .at(-1)
      ?.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
      .slice(0, 120) ?? ''
  return last === '' || last === '.' || last === '..' ? 'file' : last
}
