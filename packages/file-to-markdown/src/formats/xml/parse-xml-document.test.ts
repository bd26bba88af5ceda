import { describe, expect, it } from 'vitest';
import { fixture, onlyPage } from '../../../test/support/parse.js';
import { sourceFromBuffer } from '../../source-bytes.js';
import { parseXmlDocument } from './parse-xml-document.js';

async function render(content: string | Buffer) {
  const { pages, title } = await parseXmlDocument({ source: sourceFromBuffer(Buffer.from(content)) });
  const all = [];
  for await (const page of pages) all.push(page);
  return { pages: all, ...(title && { title }) };
}

describe('XML', () => {
  it('makes a paragraph of each record, in UTF-16 as well', async () => {
    const { pages } = await render(await fixture('factbook-utf-16.xml'));
    expect(pages[0]?.markdown).toMatch(
      /^name: United States\ncapital: Washington, DC\nleader: .+\nsport: Baseball\n\nname: Canada\n/,
    );
    expect(pages[0]?.markdown).toMatch(/\n\nname: Trinidad & Tobado\n.*\n.*\nsport: Track & Field$/);
  });

  it('keeps attributes, and the names of what is nested in a record', async () => {
    const order =
      '<order xmlns="urn:x" id="7"><customer><name>Ann</name><city>Rome</city></customer>' +
      '<items><item sku="a"><price currency="EUR">1</price></item><item sku="b"/></items><total>12</total></order>';
    expect((await render(order)).pages).toEqual(
      onlyPage(
        'id: 7\ncustomer.name: Ann\ncustomer.city: Rome\n\nsku: a\nprice: 1 (currency: EUR)\n\nsku: b\n\ntotal: 12',
      ),
    );
  });

  it('reads feeds', async () => {
    const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour</title><link>https://example.org</link>
      <item><title>New &amp; old</title><dc:creator>Ann</dc:creator>
      <description><![CDATA[<p>The <b>Aurora</b> sails.</p><p>Daily&nbsp;now.</p>]]></description></item>
      <item><title>Prices</title><description>Up&hellip;</description></item></channel></rss>`;
    expect(await render(feed)).toEqual({
      title: 'Harbour',
      pages: onlyPage(
        '# Harbour\n\nlink: https://example.org\n\n## New & old\n\ncreator: Ann\n\ndescription:\n\n' +
          'The **Aurora** sails.\n\nDaily now.\n\n## Prices\n\ndescription: Up…',
      ),
    });
  });

  it('reads documents', async () => {
    const book = `<book><title>Guide</title><chapter xml:id="c"><title>Start</title><para>Use <em>it</em>
      with care.</para><programlisting language="c">int a;
  int b;</programlisting><itemizedlist><listitem><para>One</para></listitem></itemizedlist>
      <table><row><entry>a</entry><entry>b</entry></row></table></chapter></book>`;
    expect((await render(book)).pages).toEqual(
      onlyPage('# Guide\n\n## Start\n\nUse it with care.\n\n```\nint a;\n  int b;\n```\n\n- One\n\na | b'),
    );
  });

  it('expands no entities', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><a>&b; text</a>';
    expect((await render(bomb)).pages).toEqual(onlyPage('&b; text'));
  });

  it('reads what is cut off, and as plain text what is no XML', async () => {
    expect((await render('<a><b>Cut <i>off')).pages).toEqual(onlyPage('Cut off'));
    expect((await render('No XML < but & text')).pages).toEqual(onlyPage('No XML < but & text'));
  });

  it('reads what is nested very deep', async () => {
    const { pages } = await render(`${'<a>'.repeat(20_000)}deep${'</a>'.repeat(20_000)}`);
    expect(pages[0]?.markdown).toMatch(/^(?:a\.)+a: deep$/);
  });
});
