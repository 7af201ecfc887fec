/** The shop's products. The back end charges these prices, in whole rupiah, and the page shows them. */
export const catalog = {
  coffee: { price: 22_000, en: 'Iced palm sugar coffee', id: 'Es kopi gula aren' },
  tea: { price: 15_000, en: 'Jasmine tea', id: 'Teh melati' },
  klepon: { price: 18_000, en: 'Klepon, five pieces', id: 'Klepon, lima butir' },
  cake: { price: 20_000, en: 'Layer cake, one slice', id: 'Kue lapis, sepotong' },
  beans: { price: 95_000, en: 'Gayo beans, 250 g', id: 'Biji kopi Gayo, 250 g' },
  dripper: { price: 285_000, en: 'Pour-over set', id: 'Set kopi saring' },
} as const;

export type ProductId = keyof typeof catalog;

export const productIds = Object.keys(catalog) as ProductId[];

/** The quantity of each product. */
export type Items = Partial<Record<ProductId, number>>;

export function totalOf(items: Items): number {
  return productIds.reduce((sum, id) => sum + catalog[id].price * (items[id] ?? 0), 0);
}

export function isProductId(id: string): id is ProductId {
  return Object.hasOwn(catalog, id);
}
