import type { ReactNode } from 'react'

/** A group of settings under its title. */
export function SettingCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return <section className="card setcard"><h2>{title}</h2>{children}</section>
}

/** One setting: its name, a word about it, and its control. */
export function Setting({ name, about, children }: { readonly name: ReactNode; readonly about?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="set">
      <div className="grow"><div>{name}</div>{about !== undefined && <div className="small dim">{about}</div>}</div>
      {children}
    </div>
  )
}
