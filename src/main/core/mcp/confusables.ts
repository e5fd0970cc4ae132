/** Letters of other scripts by the Latin ones they look like, from the confusables of Unicode TR39; lower case, and capitals that only look alike as such. */
const alike: Readonly<Record<string, string>> = {
  a: 'аɑα', b: 'Ьʙβв', c: 'сϲᴄ', d: 'ԁɗ', e: 'еҽєε', f: 'ϝƒ', g: 'ɡց', h: 'һнհ', i: 'іιɩı', j: 'јϳ', k: 'кκᴋ', l: 'ӏǀ', m: 'мᴍ', n: 'пηոɴ', o: 'оοօσ', p: 'рρ', q: 'ԛգ',
  r: 'гᴦ', s: 'ѕꜱ', t: 'тτᴛ', u: 'υսцᴜ', v: 'νѵᴠ', w: 'ѡԝωᴡ', x: 'хχ', y: 'уγү', z: 'ᴢ',
  A: 'АΑ', B: 'ВΒ', C: 'СϹ', E: 'ЕΕ', H: 'НΗ', I: 'ІΙӀ', J: 'Ј', K: 'КΚ', M: 'МΜ', N: 'Ν', O: 'ОΟՕ', P: 'РΡ', S: 'Ѕ', T: 'ТΤ', X: 'ХΧ', Y: 'УΥҮ', Z: 'Ζ',
  // Kana that are drawn as Han characters are.
  口: 'ロ', 一: 'ー', 二: 'ニ', 工: 'エ', 力: 'カ', 夕: 'タ', 卜: 'ト', 八: 'ハ', 三: 'ミ',
}
const latinOf = new Map(Object.entries(alike).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)))

/** The text in compatibility form, without what has no width and without accents, foreign letters as the Latin ones they look like. Only for comparing. */
export function foldLookalikes(text: string): string {
  const bare = text.normalize('NFKD').replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '').replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '').normalize('NFC')
  let out = ''
  for (const character of bare) out += latinOf.get(character) ?? character
  return out
}
