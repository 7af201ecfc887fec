/** @jsxImportSource react */
import type { ReactNode } from 'react';
import type { ProductId } from './catalog.ts';

const shapes: Record<ProductId, ReactNode> = {
  coffee: (
    <>
      <path d="M84 14 78 40" stroke="#c9563a" strokeWidth="5" strokeLinecap="round" />
      <path d="M50 34h60l-7 66a8 8 0 0 1-8 7H65a8 8 0 0 1-8-7z" fill="#fff8ee" />
      <path d="M53 58h54l-4.4 41a7 7 0 0 1-7 6H64.4a7 7 0 0 1-7-6z" fill="#e9c79c" />
      <path d="M52.5 52h55l-2 20c-12 9-20-6-29 1s-15 5-22 1z" fill="#7a4526" />
      <path
        d="M55.8 84c10-6 18 6 28 1s14-3 20.5 0l-1.6 15a7 7 0 0 1-7 6H64.4a7 7 0 0 1-7-6z"
        fill="#f6e4c6"
      />
      <rect
        x="62"
        y="42"
        width="15"
        height="15"
        rx="3"
        transform="rotate(-12 69 49)"
        fill="#fff"
        opacity=".75"
      />
      <rect
        x="84"
        y="44"
        width="14"
        height="14"
        rx="3"
        transform="rotate(16 91 51)"
        fill="#fff"
        opacity=".6"
      />
      <path d="M47 30h66v8H47z" fill="#d9ecec" />
    </>
  ),
  tea: (
    <>
      <path
        d="M70 18c-6 8 6 10 0 19M88 14c-6 9 6 12 0 22"
        stroke="#b9a98f"
        strokeWidth="4"
        strokeLinecap="round"
        fill="none"
      />
      <path d="M112 56h9a14 14 0 0 1 0 28h-13" fill="none" stroke="#2f6a6a" strokeWidth="7" />
      <path d="M42 46h72v26a32 32 0 0 1-32 32h-8a32 32 0 0 1-32-32z" fill="#3c8080" />
      <ellipse cx="78" cy="47" rx="36" ry="9" fill="#2f6a6a" />
      <ellipse cx="78" cy="48" rx="30" ry="6.5" fill="#d99a3a" />
      <path d="M66 47c4-4 9-4 11 0-3 3-8 3-11 0zM82 50c3-3 7-3 9 0-3 2-7 2-9 0z" fill="#fff8e4" />
      <ellipse cx="78" cy="107" rx="44" ry="6" fill="#2f6a6a" opacity=".35" />
      <g fill="#fff" opacity=".9">
        <circle cx="64" cy="76" r="4" />
        <circle cx="71" cy="80" r="4" />
        <circle cx="68" cy="87" r="4" />
        <circle cx="60" cy="87" r="4" />
        <circle cx="57" cy="80" r="4" />
      </g>
      <circle cx="64" cy="82" r="3.5" fill="#f0b93f" />
    </>
  ),
  klepon: (
    <>
      <path d="M18 92C40 68 108 62 146 80c-18 26-92 36-128 12z" fill="#4f8a3c" />
      <path d="M20 92c40-4 84-6 124-12" stroke="#3b6e2c" strokeWidth="2.5" fill="none" />
      <g fill="#8fbf52">
        <circle cx="58" cy="74" r="19" />
        <circle cx="98" cy="70" r="19" />
        <circle cx="78" cy="84" r="19" />
        <circle cx="66" cy="47" r="18" />
        <circle cx="96" cy="44" r="18" />
      </g>
      <path d="M83 96a14 14 0 0 0 10-9" stroke="#b6db7d" strokeWidth="4" strokeLinecap="round" fill="none" />
      <g stroke="#fffdf3" strokeWidth="3" strokeLinecap="round">
        <path d="m48 66 5 2M60 62l4-3M66 78l5 3M52 82l4-2M88 60l4 3M104 62l3-4M110 74l-5 1M96 78l3 3M74 74l4-3M86 84l4 1M72 92l4-1M58 40l4 3M70 36l3 3M74 50l-4 2M58 52l3-2M90 36l4 2M104 40l-4 2M94 52l4-1M86 46l3 3" />
      </g>
    </>
  ),
  cake: (
    <>
      <ellipse cx="80" cy="101" rx="58" ry="9" fill="#fffaf0" />
      <path d="M32 50 96 34l32 12v48l-32 4-64-2z" fill="#e6a7b0" />
      <path d="m32 50 64-16 32 12-34 8z" fill="#c4506b" />
      <path d="M94 54 128 46v48l-34 4z" fill="#000" opacity=".1" />
      <path d="M32 58.5 94 62l34-8v6.5L94 69l-62-3z" fill="#fff3e3" />
      <path d="M32 73 94 76.5l34-7V76l-34 7.5-62-3z" fill="#fff3e3" />
      <path d="M32 87 94 90.5l34-6V91l-34 6-62-2z" fill="#fff3e3" />
    </>
  ),
  beans: (
    <>
      <path d="M50 26h60l6 76a7 7 0 0 1-7 7H51a7 7 0 0 1-7-7z" fill="#2c3b35" />
      <path d="M50 26h60l1.5 15h-63z" fill="#1f2b26" />
      <path d="M74 31h12" stroke="#c8a15a" strokeWidth="4" strokeLinecap="round" />
      <rect x="58" y="52" width="44" height="40" rx="4" fill="#f4e7cf" />
      <path d="M66 84h28" stroke="#a8452a" strokeWidth="3" strokeLinecap="round" />
      <ellipse cx="80" cy="67" rx="9" ry="11" transform="rotate(28 80 67)" fill="#7a4526" />
      <path d="M85 58c-8 5-2 12-10 18" stroke="#f4e7cf" strokeWidth="2.5" fill="none" strokeLinecap="round" />
      <g fill="#7a4526">
        <ellipse cx="128" cy="104" rx="8" ry="5.5" transform="rotate(-20 128 104)" />
        <ellipse cx="32" cy="106" rx="8" ry="5.5" transform="rotate(24 32 106)" />
      </g>
      <path d="m122 106 12-4M26 103l12 6" stroke="#4d2913" strokeWidth="1.8" />
    </>
  ),
  dripper: (
    <>
      <path d="M48 24h64L88 58H72z" fill="#f3efe7" />
      <path d="M42 20h76v8H42z" fill="#a8452a" />
      <path d="M108 34h8a10 10 0 0 1 0 16h-14" fill="none" stroke="#a8452a" strokeWidth="5" />
      <path d="M58 58h44v7H58z" fill="#a8452a" />
      <path d="M80 66v9" stroke="#7a4526" strokeWidth="3" strokeLinecap="round" />
      <path
        d="M62 66h36c-2 8 14 16 14 30a13 13 0 0 1-13 13H61a13 13 0 0 1-13-13c0-14 16-22 14-30z"
        fill="#dcecec"
        opacity=".85"
      />
      <path
        d="M50 90c16-5 44 4 61 0 .7 3 1 4 1 6a11 11 0 0 1-12 11H60a11 11 0 0 1-12-11c0-2 1-4 2-6z"
        fill="#7a4526"
      />
      <path
        d="M58 76c3-4 6-7 7-10"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        opacity=".8"
        fill="none"
      />
    </>
  ),
};

/** A product's picture, without alternative text, because the name is next to it. */
export function Picture({ of }: { of: ProductId }) {
  return (
    <svg viewBox="0 0 160 120" aria-hidden="true" className={`picture ${of}`}>
      {shapes[of]}
    </svg>
  );
}
