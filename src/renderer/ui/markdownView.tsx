import { createContext, isValidElement, memo, useContext, useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import remarkCjkFriendlyStrikethrough from 'remark-cjk-friendly-gfm-strikethrough/parseOnly'
import remarkCjkFriendly from 'remark-cjk-friendly/parseOnly'
import { Streamdown, defaultRemarkPlugins } from 'streamdown'
import type { MarkdownProps } from './markdownProps'
import { highlight, type Token } from './highlight'
import { HiddenBox, Readable } from './Exact'
import { FileText } from './FileText'
import { hiddenTag, rehypeHidden } from './markdownHidden'
import { placesTag, rehypePlaces } from './markdownPlaces'
import { useWords } from './words'

const OpenLink = createContext<(url: string) => void>(() => undefined)

/** Only addresses of the web are links; anything else is left as its words. */
function webUrl(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\/[^\s]+$/i.test(url) && URL.canParse(url) ? url : undefined
}

/** As much of an address as tells where it leads: the host whole, as a browser would read it, and the beginning of what follows. */
function placeOf(url: string): string {
  const { host, pathname, search, hash } = new URL(url)
  const place = `${host}${pathname === '/' ? '' : pathname}${search}${hash}`
  const most = host.length + 40
  return place.length > most ? `${place.slice(0, most)}…` : place
}

/** True when the words of a link are its address, with or without the scheme. */
function isAddress(words: string, url: string): boolean {
  const bare = (text: string): string => text.replace(/^(https?:\/\/)/i, '').replace(/\/$/, '')
  return bare(words) === bare(url)
}

/** Words may promise another place than the one they lead to, so that one stands behind them (E27). */
function Link({ href, children }: ComponentProps<'a'>) {
  const open = useContext(OpenLink)
  const url = webUrl(href)
  if (url === undefined) return <span>{children}</span>
  return (
    <>
      <a className="link" href={url} title={url} rel="noreferrer" onClick={(event) => { event.preventDefault(); open(url) }}>{children}</a>
      {!isAddress(textOf(children), url) && <span className="linkto" dir="ltr"> ({placeOf(url)})</span>}
    </>
  )
}

function NoImage({ alt, src }: ComponentProps<'img'>) {
  const say = useWords()
  return <span className="noimg"><Readable text={say('ui.image', { name: alt !== undefined && alt !== '' ? alt : String(src ?? '') })} area="prose" /></span>
}

/** Colours come a moment later than the text; until then, and for languages that are not on the list, it is plain. */
function Code({ className, children }: ComponentProps<'code'>) {
  const text = typeof children === 'string' ? children : textOf(children)
  const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1] ?? ''
  const [lines, setLines] = useState<{ readonly of: string; readonly tokens: readonly (readonly Token[])[] } | null>(null)
  useEffect(() => {
    let isWanted = true
    void highlight(text, language).then((tokens) => { if (isWanted && tokens) setLines({ of: text, tokens }) })
    return () => { isWanted = false }
  }, [text, language])
  if (lines?.of !== text) return <code><FileText text={text} area="code" /></code>
  return <code>{lines.tokens.map((line, at) => <span key={at}>{line.map((token, index) => <span key={index} style={{ color: token.color }}><Readable text={token.content} area="code" /></span>)}{'\n'}</span>)}</code>
}

/** What `rehypeHidden` left for a hidden character; the types of Streamdown know only the elements of HTML. */
function Hidden({ code, name }: Record<string, unknown>) {
  return <HiddenBox code={String(code)} name={name as ComponentProps<typeof HiddenBox>['name']} />
}

/** What `rehypePlaces` left for a text that may name files. */
function Places({ text }: Record<string, unknown>) {
  return <FileText text={String(text)} area="prose" />
}

function textOf(children: ReactNode): string {
  return Array.isArray(children) ? children.map(textOf).join('') : typeof children === 'string' ? children : ''
}

/** Streamdown would take the code of a `pre` of ours for inline code, so its element is read here. */
function Block({ children }: ComponentProps<'pre'>) {
  const code = isValidElement<ComponentProps<'code'>>(children) ? children.props : { className: undefined, children }
  return <pre tabIndex={0}><Code className={code.className}>{code.children}</Code></pre>
}

const components = {
  [hiddenTag]: Hidden,
  a: Link,
  img: NoImage,
  [placesTag]: Places,
  inlineCode: ({ children }: ComponentProps<'code'>) => <code><FileText text={textOf(children)} area="code" /></code>,
  pre: Block,
  table: ({ children }: ComponentProps<'table'>) => <div className="tablebox"><table>{children}</table></div>,
  thead: ({ children }: ComponentProps<'thead'>) => <thead>{children}</thead>,
  tbody: ({ children }: ComponentProps<'tbody'>) => <tbody>{children}</tbody>,
  tr: ({ children }: ComponentProps<'tr'>) => <tr>{children}</tr>,
  th: ({ children }: ComponentProps<'th'>) => <th>{children}</th>,
  td: ({ children }: ComponentProps<'td'>) => <td>{children}</td>,
  ul: ({ children }: ComponentProps<'ul'>) => <ul>{children}</ul>,
  ol: ({ children, start }: ComponentProps<'ol'>) => <ol start={start}>{children}</ol>,
  li: ({ children }: ComponentProps<'li'>) => <li>{children}</li>,
  // A page has one h1, and it is not in an answer.
  h1: ({ children }: ComponentProps<'h1'>) => <h3>{children}</h3>,
  h2: ({ children }: ComponentProps<'h2'>) => <h4>{children}</h4>,
  h3: ({ children }: ComponentProps<'h3'>) => <h5>{children}</h5>,
  h4: ({ children }: ComponentProps<'h4'>) => <h6>{children}</h6>,
  h5: ({ children }: ComponentProps<'h5'>) => <h6>{children}</h6>,
  h6: ({ children }: ComponentProps<'h6'>) => <h6>{children}</h6>,
  strong: ({ children }: ComponentProps<'strong'>) => <strong>{children}</strong>,
  blockquote: ({ children }: ComponentProps<'blockquote'>) => <blockquote>{children}</blockquote>,
  hr: () => <hr />,
  sub: ({ children }: ComponentProps<'sub'>) => <sub>{children}</sub>,
  sup: ({ children }: ComponentProps<'sup'>) => <sup>{children}</sup>,
  section: ({ children }: ComponentProps<'section'>) => <section>{children}</section>,
}

// Raw HTML never becomes elements, so there is nothing to clean.
const rehypePlugins = [rehypeHidden, rehypePlaces]
// CommonMark leaves `中文**粗。**后` plain, because it looks for spaces that Chinese does not write; the two after it mend that.
const remarkPlugins: ComponentProps<typeof Streamdown>['remarkPlugins'] = [...Object.values(defaultRemarkPlugins), remarkCjkFriendly, [remarkCjkFriendlyStrikethrough, { singleTilde: false }]]

/** Draws Markdown with our own elements. */
export const MarkdownView = memo(function MarkdownView({ text, isGrowing = false, onOpenLink }: MarkdownProps) {
  return (
    <OpenLink.Provider value={onOpenLink}>
      <Streamdown className="prose" mode={isGrowing ? 'streaming' : 'static'} components={components} remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} urlTransform={(url) => webUrl(url)} controls={false} linkSafety={{ enabled: false }}>
        {text}
      </Streamdown>
    </OpenLink.Provider>
  )
})
