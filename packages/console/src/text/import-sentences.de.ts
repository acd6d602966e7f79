/** What the importer says of files, in German: why one cannot be imported, what was left out of one, and what a person should know. */
import type { Sentences } from './sentences.ts';

const asSheet = 'speichern Sie sie als .xlsx oder „CSV UTF-8“';

/** By the sentence of the importer; `{file}` is the name of a file. */
export const germanImportSentences: Sentences = {
  '"{text}" is neither the name nor the e-mail address of a member.':
    '„{text}“ ist weder der Name noch die E-Mail-Adresse eines Mitglieds.',
  'More than one member is called "{text}". Give the e-mail address.':
    'Mehrere Mitglieder heißen „{text}“. Geben Sie die E-Mail-Adresse an.',
  '"{text}" is neither the id, the externalId, the slug nor the name of a record of {noun} here.':
    '„{text}“ ist hier weder ID, externe ID, Slug noch Name eines Eintrags in {noun}.',
  // Files that cannot be imported.
  '{file} is empty.': '{file} ist leer.',
  '{file} is neither text nor a known kind of file. Export its data as .xlsx, CSV or JSON.':
    '{file} ist weder ein Text noch eine bekannte Art von Datei. Exportieren Sie die Daten als .xlsx, CSV oder JSON.',
  '{file} is not a table. Import CSV, .xlsx, JSON, WordPress (WXR), Ghost (JSON), vCard, ONIX 3, KBART, or Markdown files with the ending .md.':
    '{file} ist keine Tabelle. Importieren Sie CSV, .xlsx, JSON, WordPress (WXR), Ghost (JSON), vCard, ONIX 3, KBART oder Markdown-Dateien mit der Endung .md.',
  '{file} is a binary workbook (.xlsb). Open it in Excel and save it as .xlsx or "CSV UTF-8".': `{file} ist eine binäre Arbeitsmappe (.xlsb). Öffnen Sie die Datei in Excel, und ${asSheet}.`,
  '{file} is a Word document. Copy its table into a spreadsheet and save it as .xlsx or "CSV UTF-8"; save texts as Markdown (.md).': `{file} ist ein Word-Dokument. Kopieren Sie die Tabelle in eine Tabellenkalkulation, und ${asSheet}; Texte als Markdown (.md).`,
  '{file} is a presentation. Copy its table into a spreadsheet and save it as .xlsx or "CSV UTF-8".': `{file} ist eine Präsentation. Kopieren Sie die Tabelle in eine Tabellenkalkulation, und ${asSheet}.`,
  '{file} is a document of Numbers, Pages or Keynote. In Numbers, choose File > Export To > Excel or CSV.':
    '{file} ist ein Dokument von Numbers, Pages oder Keynote. Wählen Sie in Numbers „Ablage > Exportieren > Excel“ oder „CSV“.',
  '{file} is an e-book (EPUB). Its catalogue data can be imported as ONIX 3, .xlsx or CSV.':
    '{file} ist ein E-Book (EPUB). Seine Katalogdaten lassen sich als ONIX 3, .xlsx oder CSV importieren.',
  '{file} is an OpenDocument file, such as one of LibreOffice. Open it there and save it as .xlsx or "CSV UTF-8".': `{file} ist eine OpenDocument-Datei, etwa von LibreOffice. Öffnen Sie die Datei dort, und ${asSheet}.`,
  '{file} is a ZIP archive. Unpack it and import a file in it, or the folder if it has Markdown posts.':
    '{file} ist ein ZIP-Archiv. Entpacken Sie es, und importieren Sie eine Datei daraus, oder den Ordner mit Markdown-Beiträgen.',
  '{file} is a ZIP archive without a file that can be imported.':
    '{file} ist ein ZIP-Archiv ohne eine Datei, die importiert werden kann.',
  '{file} is an old workbook or document (.xls, .doc), or one with a password. Open it in Excel or LibreOffice, and save it as .xlsx or "CSV UTF-8", without a password.': `{file} ist eine alte Arbeitsmappe oder ein altes Dokument (.xls, .doc), oder eines mit Passwort. Öffnen Sie die Datei in Excel oder LibreOffice, und ${asSheet}, ohne Passwort.`,
  '{file} is a workbook of a very old kind (.xls). Open it in Excel or LibreOffice, and save it as .xlsx or "CSV UTF-8".': `{file} ist eine sehr alte Arbeitsmappe (.xls). Öffnen Sie die Datei in Excel oder LibreOffice, und ${asSheet}.`,
  '{file} is a PDF. A table in it has to be copied into a spreadsheet, or exported by the program that made it, as .xlsx or CSV.':
    '{file} ist ein PDF. Kopieren Sie die Tabelle in eine Tabellenkalkulation, oder exportieren Sie sie mit dem Programm, aus dem sie kommt, als .xlsx oder CSV.',
  '{file} is a text document (RTF). Copy its table into a spreadsheet and save it as .xlsx or "CSV UTF-8".': `{file} ist ein Textdokument (RTF). Kopieren Sie die Tabelle in eine Tabellenkalkulation, und ${asSheet}.`,
  '{file} is compressed ({kind}). Unpack it and import the file in it.':
    '{file} ist komprimiert ({kind}). Entpacken Sie die Datei, und importieren Sie, was darin ist.',
  '{file} is an archive ({kind}). Unpack it and import the files in it.':
    '{file} ist ein Archiv ({kind}). Entpacken Sie es, und importieren Sie die Dateien daraus.',
  '{file} is a database ({kind}). Export its table as {formats}.':
    '{file} ist eine Datenbank ({kind}). Exportieren Sie die Tabelle, etwa als CSV.',
  '{file} is a Parquet file. Export its rows as CSV or JSON lines.':
    '{file} ist eine Parquet-Datei. Exportieren Sie die Zeilen als CSV oder als JSON in Zeilen.',
  '{file} is a picture. Pictures are uploaded under Files.':
    '{file} ist ein Bild. Bilder werden unter „Dateien“ hochgeladen.',
  '{file} is MARC XML. Convert it with your library system or with MarcEdit (Export Tab Delimited Records), and import the table as CSV or .xlsx.':
    '{file} ist MARC-XML. Wandeln Sie die Datei mit dem Bibliothekssystem oder mit MarcEdit um (Export Tab Delimited Records), und importieren Sie die Tabelle als CSV oder .xlsx.',
  '{file} is MARC (ISO 2709). Convert it with MarcEdit (Export Tab Delimited Records), and import the table as CSV or .xlsx.':
    '{file} ist MARC (ISO 2709). Wandeln Sie die Datei mit MarcEdit um (Export Tab Delimited Records), und importieren Sie die Tabelle als CSV oder .xlsx.',
  '{file} is ONIX of a release before 3.0. Export it as ONIX 3.0 or 3.1.':
    '{file} ist ONIX vor Version 3.0. Exportieren Sie die Daten als ONIX 3.0 oder 3.1.',
  '{file} is an XML spreadsheet of 2003. Open it in Excel or LibreOffice and save it as .xlsx or "CSV UTF-8".': `{file} ist eine XML-Tabelle von 2003. Öffnen Sie die Datei in Excel oder LibreOffice, und ${asSheet}.`,
  '{file} is a news feed, which has only the latest posts. Use the export of the system: for WordPress "Tools > Export" (WXR).':
    '{file} ist ein Newsfeed mit nur den neuesten Beiträgen. Nutzen Sie den Export des Systems: bei WordPress „Werkzeuge > Daten exportieren“ (WXR).',
  '{file} is a news feed or an export of Blogger. Import it into WordPress and export it there (WXR), or convert it to Markdown files.':
    '{file} ist ein Newsfeed oder ein Export von Blogger. Importieren Sie ihn in WordPress und exportieren Sie dort (WXR), oder wandeln Sie ihn in Markdown-Dateien um.',
  '{file} is an XML document of the kind "{kind}", which is not known. Known are WordPress (WXR) and ONIX 3; export other data as .xlsx, CSV or JSON.':
    '{file} ist ein XML-Dokument der Art „{kind}“, die nicht bekannt ist. Bekannt sind WordPress (WXR) und ONIX 3; exportieren Sie andere Daten als .xlsx, CSV oder JSON.',
  '{file} is a table in HTML, which some systems call .xls. Open it in Excel or LibreOffice, where you may confirm a warning about its ending, and save it as .xlsx or "CSV UTF-8".': `{file} ist eine Tabelle in HTML, die manche Systeme .xls nennen. Öffnen Sie die Datei in Excel oder LibreOffice, bestätigen Sie die Warnung wegen der Endung, und ${asSheet}.`,
  '{file} is a web page. Open it in a spreadsheet program and save it as .xlsx or "CSV UTF-8"; posts need the ending .md.': `{file} ist eine Webseite. Öffnen Sie die Datei in einer Tabellenkalkulation, und ${asSheet}; Beiträge brauchen die Endung .md.`,
  '{file} is a calendar. Contacts are exported as vCard (.vcf).':
    '{file} ist ein Kalender. Kontakte werden als vCard (.vcf) exportiert.',
  '{file} is a list of references (RIS). Export it from the reference manager as CSV.':
    '{file} ist eine Literaturliste (RIS). Exportieren Sie sie aus der Literaturverwaltung als CSV.',
  '{file} is BibTeX. Export the references from the reference manager as CSV.':
    '{file} ist BibTeX. Exportieren Sie die Titel aus der Literaturverwaltung als CSV.',
  '{file} is LDIF. Export the address book as vCard (.vcf) or CSV.':
    '{file} ist LDIF. Exportieren Sie das Adressbuch als vCard (.vcf) oder CSV.',
  '{file} is a mailbox. Contacts are exported as vCard (.vcf) or CSV.':
    '{file} ist ein Postfach. Kontakte werden als vCard (.vcf) oder CSV exportiert.',
  '{file} is damaged or incomplete: it is not a whole ZIP archive. Save or download it again.':
    '{file} ist beschädigt oder unvollständig. Speichern Sie die Datei noch einmal, oder laden Sie sie neu herunter.',
  '{file} has more than {number} files. Unpack it and import what is in it.':
    '{file} hat mehr als {number} Dateien. Entpacken Sie das Archiv, und importieren Sie, was darin ist.',
  '{file} has too many rows without a value. Delete empty rows and sheets, or save the sheet as "CSV UTF-8".':
    '{file} hat zu viele Zeilen ohne Werte. Löschen Sie leere Zeilen und Blätter, oder speichern Sie das Blatt als „CSV UTF-8“.',
  'No row from row {number} on can be read: it has more than {most} characters. Shorten its texts.':
    'Ab Zeile {number} kann keine Zeile gelesen werden: Sie hat mehr als {most} Zeichen. Kürzen Sie ihre Texte.',
  '{file} is incomplete: its part "{part}" is missing. Open it in the program that it comes from, or in LibreOffice, and save it again.':
    '{file} ist unvollständig: Der Teil „{part}“ fehlt. Öffnen Sie die Datei in dem Programm, aus dem sie kommt, oder in LibreOffice, und speichern Sie sie noch einmal.',
  '{file} is protected by a password. Save it without one.':
    '{file} ist mit einem Passwort geschützt. Speichern Sie die Datei ohne Passwort.',
  '{file} has no sheet with cells, such as a workbook of charts alone. Put the data into a sheet, or save them as CSV.':
    '{file} hat kein Blatt mit Zellen, etwa nur Diagramme. Bringen Sie die Daten in ein Blatt, oder speichern Sie sie als CSV.',
  '{file} has no rows: all its sheets are empty.': '{file} hat keine Zeilen: Alle Blätter sind leer.',
  'The column "{column}" looks like one of people who do not want to be contacted, and is not understood. {more}':
    'Die Spalte „{column}“ sieht nach Personen aus, die nicht kontaktiert werden wollen, und wird nicht verstanden. Ordnen Sie sie „Nicht kontaktieren“ oder der Zustimmung zu, oder überspringen Sie sie.',
  // What a person should know of a file.
  'The rows are those of "{sheet}". Not imported: {names} (--sheet NAME imports one of them).':
    'Die Zeilen sind die von „{sheet}“. Nicht importiert: {names}.',
  'The sheet "{sheet}" is hidden in the file.': 'Das Blatt „{sheet}“ ist in der Datei ausgeblendet.',
  'The names of the columns are in row {number}.': 'Die Namen der Spalten stehen in Zeile {number}.',
  'One row is hidden in the file; it is imported like the others.':
    'Eine Zeile ist in der Datei ausgeblendet; sie wird wie die anderen importiert.',
  '{count} rows are hidden in the file; they are imported like the others.':
    '{count} Zeilen sind in der Datei ausgeblendet; sie werden wie die anderen importiert.',
  'Posts and pages become articles. Nothing is loaded from the network: pictures keep their addresses.':
    'Beiträge und Seiten werden Artikel. Aus dem Netz wird nichts geladen: Bilder behalten ihre Adressen.',
  'Posts and pages become articles. Nothing is loaded from the network: pictures keep their addresses, those of the old site without its name (/content/images/…).':
    'Beiträge und Seiten werden Artikel. Aus dem Netz wird nichts geladen: Bilder behalten ihre Adressen, die der alten Website ohne deren Namen (/content/images/…).',
  // What is left out.
  comments: 'Kommentare',
  groups: 'Gruppen',
  photos: 'Fotos',
  'contents of {part}': 'Inhalte von {part}',
  'attachments, which stay at their address': 'Anhänge, die unter ihrer Adresse bleiben',
  'items of the type "{type}"': 'Inhalte der Art „{type}“',
  'terms of "{type}"': 'Begriffe von „{type}“',
  'posts in the trash': 'Beiträge im Papierkorb',
  'pages in the trash': 'Seiten im Papierkorb',
  'passwords of posts, which stay drafts': 'Passwörter von Beiträgen, die Entwürfe bleiben',
  'limits to members, whose posts stay drafts':
    'Beschränkungen auf Mitglieder; die Beiträge bleiben Entwürfe',
  'posts with the shortcode [{code}], which stays as written':
    'Beiträge mit dem Shortcode [{code}], der im Text bleibt',
  'internal tags': 'interne Schlagwörter',
  'rows of "{type}"': 'Zeilen von „{type}“',
  'rows before the header': 'Zeilen vor der Kopfzeile',
  'rows that are deleted where they come from': 'Zeilen, die im anderen System gelöscht sind',
  'cells with an error such as #N/A, left empty': 'Zellen mit einem Fehler wie #NV, leer gelassen',
  'formulas without a stored result, left empty (open and save the file in a spreadsheet program)':
    'Formeln ohne gespeichertes Ergebnis, leer gelassen (öffnen und speichern Sie die Datei in einer Tabellenkalkulation)',
  'products that the message deletes': 'Titel, die die Nachricht löscht',
  'texts other than the description': 'andere Texte als die Beschreibung',
  'further prices for one currency and country': 'weitere Preise für eine Währung und ein Land',
  'keywords and subjects without a code': 'Stichwörter und Themen ohne Code',
  'subjects after the first {number}': 'Themen nach den ersten {number}',
  'related products': 'verwandte Titel',
  'sales rights': 'Verkaufsrechte',
  audiences: 'Zielgruppen',
  measures: 'Maße',
  prizes: 'Preise und Auszeichnungen',
  'further periods of titles, which are part of their first row':
    'weitere Zeiträume von Titeln, die zu deren erster Zeile gehören',
  'The folder has no such picture. Import the whole folder of the site, not only its posts.':
    'Im Ordner ist kein solches Bild. Importieren Sie den ganzen Ordner der Website, nicht nur ihre Beiträge.',
  'Its pictures were not looked for: the text is nested too deeply, or a paragraph of it is too long.':
    'Die Bilder wurden nicht gesucht: Der Text ist zu tief verschachtelt, oder ein Absatz ist zu lang.',
  'The text would be too long with the addresses of its pictures.':
    'Der Text wäre mit den Adressen seiner Bilder zu lang.',
  'It is larger than {size} MiB.': 'Es ist größer als {size} MiB.',
  'It is no picture in a format that readers can be shown: JPEG, PNG, WebP, GIF, AVIF or TIFF.':
    'Es ist kein Bild in einem Format, das Leser sehen können: JPEG, PNG, WebP, GIF, AVIF oder TIFF.',
  'The file has changed while it was imported. Run the import again.':
    'Die Datei hat sich während des Imports geändert. Wiederholen Sie den Import.',
  'It is not public yet, since the server has not read it. Run the import again later.':
    'Es ist noch nicht öffentlich, weil der Server es noch nicht gelesen hat. Wiederholen Sie den Import später.',
  'It was uploaded, but the server cannot read it: the file may be damaged.':
    'Es wurde hochgeladen, aber der Server kann es nicht lesen: Die Datei ist vielleicht beschädigt.',
  'It was uploaded, but the server cannot show it.':
    'Es wurde hochgeladen, aber der Server kann es nicht zeigen.',
  'It is not public, since somebody has changed it or taken it back.':
    'Es ist nicht öffentlich, weil jemand es geändert oder zurückgezogen hat.',
  'It was not uploaded: {reason}': 'Es wurde nicht hochgeladen: {reason}',
  'It was uploaded, but is not public: {reason}': 'Es wurde hochgeladen, ist aber nicht öffentlich: {reason}',
  // What was changed so that values could be taken.
  'bodies that begin with an element of HTML taken as HTML':
    'Texte, die mit einem HTML-Element beginnen, als HTML gelesen',
  'full names split into first and last name': 'volle Namen in Vor- und Nachname geteilt',
  '"{text}" is read as {value}': '„{text}“ wird als „{value}“ gelesen',
  'numbers of days since 1900, as in spreadsheets, written as dates':
    'Zahlen von Tagen seit 1900, wie in Tabellenkalkulationen, als Datum geschrieben',
  'numbers of pages without words': 'Seitenzahlen ohne Wörter',
  'placeholders such as "N/A" left out': 'Platzhalter wie „N/A“ ausgelassen',
  'the first of several languages': 'die erste von mehreren Sprachen',
  'whole numbers without separators of thousands': 'ganze Zahlen ohne Tausendertrennzeichen',
  'years without the marks of catalogues': 'Jahre ohne die Zeichen von Katalogen',
  'zeros left out where they mean that nothing is known':
    'Nullen ausgelassen, wo sie bedeuten, dass nichts bekannt ist',
};
