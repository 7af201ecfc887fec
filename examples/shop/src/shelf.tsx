/** @jsxImportSource react */
import { catalog, type ProductId, productIds } from './catalog.ts';
import { Picture } from './pictures.tsx';
import { fill, locale, rupiah, texts } from './texts.ts';

/** The products for sale. */
export function Shelf({ onAdd }: { onAdd(id: ProductId): void }) {
  return (
    <ul className="shelf">
      {productIds.map((id) => (
        <li key={id}>
          <Picture of={id} />
          <h2>{catalog[id][locale]}</h2>
          <div className="price">
            <span>{rupiah(catalog[id].price)}</span>
            <button
              type="button"
              aria-label={fill(texts.addNamed, { name: catalog[id][locale] })}
              onClick={() => onAdd(id)}
            >
              {texts.add}
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}
