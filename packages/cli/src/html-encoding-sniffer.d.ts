declare module 'html-encoding-sniffer' {
  /** Name of the encoding by the HTML standard's sniffing. */
  export default function sniff(
    bytes: Uint8Array,
    options?: { readonly transportLayerEncodingLabel?: string; readonly defaultEncoding?: string },
  ): string
}
