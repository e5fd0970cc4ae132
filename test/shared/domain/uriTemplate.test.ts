import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandTemplate, templateVariables } from '../../../src/shared/domain/uriTemplate'

const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', empty: '', x: '1024', y: '768', half: '50%', who: 'fred', base: 'http://example.com/home/', v: '6', dub: 'me/too' }

// The examples of RFC 6570, sections 1.2 and 3.2.
test.each([
  ['{var}', 'value'], ['{hello}', 'Hello%20World%21'], ['{+var}', 'value'], ['{+hello}', 'Hello%20World!'], ['{+path}/here', '/foo/bar/here'], ['here?ref={+path}', 'here?ref=/foo/bar'],
  ['X{#var}', 'X#value'], ['X{#hello}', 'X#Hello%20World!'], ['map?{x,y}', 'map?1024,768'], ['{x,hello,y}', '1024,Hello%20World%21,768'], ['{+x,hello,y}', '1024,Hello%20World!,768'],
  ['{+path,x}/here', '/foo/bar,1024/here'], ['{#x,hello,y}', '#1024,Hello%20World!,768'], ['{#path,x}/here', '#/foo/bar,1024/here'], ['X{.var}', 'X.value'], ['X{.x,y}', 'X.1024.768'],
  ['{/var}', '/value'], ['{/var,x}/here', '/value/1024/here'], ['{;x,y}', ';x=1024;y=768'], ['{;x,y,empty}', ';x=1024;y=768;empty'], ['{?x,y}', '?x=1024&y=768'], ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'], ['{&x,y,empty}', '&x=1024&y=768&empty='], ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'], ['{half}', '50%25'], ['{+half}', '50%25'],
  ['O{undef}X', 'OX'], ['O{empty}X', 'OX'], ['{x,undef}', '1024'], ['{?x,undef}', '?x=1024'], ['{var:3}', 'val'], ['{/var:1,var}', '/v/value'], ['{who*}', 'fred'], ['{dub}', 'me%2Ftoo'],
])('R50: %s becomes %s', (template, expected) => {
  expect(expandTemplate(template, values)).toBe(expected)
})

test('R50: what is no expression stays, and names come once, in order', () => {
  expect(expandTemplate('a{ }b{c', { c: 'x' })).toBe('a{ }b{c')
  expect(templateVariables('demo://{type}/{id}{?type,page*}')).toEqual([{ name: 'type', isOptional: false }, { name: 'id', isOptional: false }, { name: 'page', isOptional: true }])
  expect(expandTemplate('{toString}', {})).toBe('')
})

test('R50: a simple expression holds its value whole and adds no other part to the address', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => {
    const text = expandTemplate('{v}', { v: value })
    expect(text).toMatch(/^[\w.~%-]*$/)
    expect(decodeURIComponent(text)).toBe(value.replace(/\p{Surrogate}/gu, '\ufffd'))
  }))
})
