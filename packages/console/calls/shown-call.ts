/** A call of the API as programs would make it. */
export interface ShownCall {
  curl: string;
  typescript: string;
}
