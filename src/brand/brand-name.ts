export function brandName({ BRAND_NAME }: { readonly BRAND_NAME?: string | undefined }): string {
  return BRAND_NAME ?? 'Peridot';
}
