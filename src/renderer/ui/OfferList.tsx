import { useEffect, useRef, type ReactNode } from 'react'

interface OfferListProps {
  /** The field that has the focus names it by `aria-controls`, and its options by `optionId`. */
  readonly id: string
  readonly name: string
  readonly options: readonly { readonly key: string; readonly content: ReactNode }[]
  readonly at: number
  readonly onChoose: (at: number) => void
}

/** Where a field with the focus says which option is highlighted. */
export function optionId(listId: string, at: number): string {
  return `${listId}-${at}`
}

/** A list to choose from while the focus stays in a text field. */
export function OfferList({ id, name, options, at, onChoose }: OfferListProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => { list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }) }, [at, options])
  return (
    <ul ref={list} id={id} role="listbox" aria-label={name} className="offers" onMouseDown={(event) => event.preventDefault()}>
      {options.map((option, index) => <li key={option.key} id={optionId(id, index)} role="option" aria-selected={index === at} onClick={() => onChoose(index)}>{option.content}</li>)}
    </ul>
  )
}
