/** What the server and the rules of forms say, in German: a title for each code of problems, and sentences about single faults. */
import type { ProblemCode } from '@trellis/schema/problem.ts';
import type { Sentences } from './sentences.ts';

/** What happened, by code; where no sentence of the table below says it more exactly. */
export const germanProblems: Readonly<Record<ProblemCode, string>> = {
  malformed_request: 'Der Server konnte die Anfrage nicht lesen.',
  malformed_json: 'Der Server konnte die gesendeten Daten nicht lesen.',
  malformed_form: 'Der Server konnte die hochgeladene Datei nicht lesen.',
  digest_mismatch:
    'Die Datei ist beim Server verändert angekommen und wurde nicht gespeichert. Laden Sie sie noch einmal hoch.',
  invalid_parameter: 'Eine Angabe in der Adresse ist ungültig.',
  unknown_parameter: 'Eine Angabe in der Adresse ist dem Server nicht bekannt.',
  cursor_invalid: 'Diese Stelle der Liste ist nicht mehr gültig. Laden Sie die Liste neu.',
  cursor_mismatch: 'Diese Stelle gehört zu einer anderen Liste. Laden Sie die Liste neu.',
  idempotency_key_required: 'Der Anfrage fehlt ein Schlüssel. Laden Sie die Seite neu.',
  idempotency_key_invalid: 'Der Schlüssel der Anfrage ist ungültig. Laden Sie die Seite neu.',
  invalid_header: 'Die Anfrage ist unvollständig. Laden Sie die Seite neu.',
  token_missing: 'Dafür ist eine Anmeldung erforderlich.',
  token_invalid: 'Die Anmeldung ist nicht mehr gültig.',
  sign_in_failed: 'Die Anmeldung wurde abgelehnt.',
  session_invalid: 'Ihre Sitzung ist abgelaufen. Melden Sie sich neu an.',
  insufficient_user_authentication: 'Dafür müssen Sie Ihre Identität noch einmal bestätigen.',
  cross_site_request: 'Die Anfrage kam nicht von einer Seite dieses Servers.',
  wrong_user: 'In diesem Browser hat sich jemand anderes angemeldet.',
  insufficient_scope: 'Dieser Anmeldung fehlt eine Berechtigung dafür.',
  module_disabled: 'Dieser Bereich ist in der Organisation abgeschaltet.',
  permission_denied: 'Ihre Rolle erlaubt das nicht.',
  organization_suspended: 'Die Organisation ist gesperrt.',
  origin_not_allowed: 'Diese Website darf den Schlüssel nicht verwenden.',
  not_found: 'Nicht gefunden. Vielleicht wurde der Eintrag gelöscht, oder Sie haben keinen Zugriff darauf.',
  method_not_allowed: 'Das ist hier nicht möglich.',
  request_timeout: 'Die Übertragung hat zu lange gedauert. Versuchen Sie es erneut.',
  idempotency_in_progress: 'Dieselbe Anfrage läuft noch. Warten Sie einen Moment.',
  ambiguous_match: 'Die Angaben gehören zu verschiedenen Einträgen.',
  conflict: 'Ein anderer Eintrag hat bereits diesen Wert.',
  invalid_transition: 'Dieser Wechsel des Status ist nicht möglich.',
  in_use: 'Der Eintrag wird noch verwendet.',
  last_owner:
    'Eine Organisation braucht mindestens einen aktiven Inhaber. Geben Sie zuerst jemand anderem diese Rolle.',
  last_console:
    'Das ist die letzte aktive Anwendung der Art „Konsole“. Ohne sie kann sich niemand in der Konsole anmelden.',
  quota_reached: 'Die Höchstzahl ist erreicht.',
  link_invalid: 'Dieser Link ist nicht mehr gültig.',
  challenge_invalid: 'Dieser Schritt ist abgelaufen oder schon abgeschlossen. Beginnen Sie neu.',
  version_mismatch: 'Der Eintrag wurde inzwischen geändert.',
  body_too_large: 'Das ist zu groß für eine Übertragung.',
  range_not_satisfiable: 'Diesen Teil der Datei gibt es nicht.',
  unsupported_media_type: 'Diese Art von Daten wird hier nicht angenommen.',
  validation_failed: 'Bitte prüfen Sie die Angaben.',
  unknown_field: 'Der Server kennt ein Feld nicht. Laden Sie die Seite neu.',
  empty_patch: 'Es gibt nichts zu ändern.',
  reference_not_found: 'Ein gewählter Eintrag wurde nicht gefunden.',
  reference_gone: 'Worauf sich der Eintrag bezieht, gibt es nicht mehr.',
  idempotency_key_reused:
    'Unter diesem Schlüssel wurde schon etwas anderes gesendet. Laden Sie die Seite neu.',
  rate_limited: 'Zu viele Anfragen. Warten Sie einen Moment, und versuchen Sie es erneut.',
  headers_too_large: 'Die Adresse mit allen Filtern ist zu lang.',
  internal_error: 'Interner Serverfehler. Versuchen Sie es erneut.',
  expectation_failed: 'Der Server kann die Anfrage so nicht annehmen.',
  unsupported_transfer_coding: 'Der Server kann die Anfrage so nicht annehmen.',
  overloaded: 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  external_unavailable:
    'Der Anmeldedienst ist nicht erreichbar. Warten Sie, oder melden Sie sich auf andere Weise an.',
  storage_unavailable: 'Der Dateispeicher ist nicht erreichbar. Versuchen Sie es später erneut.',
  database_unavailable: 'Die Datenbank ist nicht erreichbar. Versuchen Sie es später erneut.',
};

export const german: Sentences = {
  // Values of any field.
  'This field is required.': 'Dieses Feld ist erforderlich.',
  'This parameter is required.': 'Diese Angabe ist erforderlich.',
  'This header is required.': 'Diese Angabe ist erforderlich.',
  'Must not be empty.': 'Darf nicht leer sein.',
  'Must have at least {number} characters.': 'Mindestens {number} Zeichen.',
  'Must have at most {number} characters.': 'Höchstens {number} Zeichen.',
  'Must have at most {number} character.': 'Höchstens {number} Zeichen.',
  'Must have at most {number} bytes of UTF-8.': 'Zu lang: höchstens {number} Byte.',
  'Must have at most {number} characters in its stored form, not {other}.':
    'Zu lang: gespeichert wären es {other} statt höchstens {number} Zeichen.',
  'Must be at least {number}.': 'Mindestens {number}.',
  'Must be at most {number}.': 'Höchstens {number}.',
  'Must have at most {number} items.': 'Höchstens {number} Einträge.',
  'Must have at most {number} item.': 'Höchstens {number} Eintrag.',
  'Items {first} and {second} are equal.': 'Ein Eintrag kommt doppelt vor.',
  'Is the same as item {number}.': 'Kommt doppelt vor.',
  'Item {number} is already primary; only one item can be.': 'Nur ein Eintrag kann die Hauptangabe sein.',
  'Must look like the example "{example}".': 'Muss aussehen wie „{example}“.',
  'Must be a number of at most 15 digits and 6 decimals, for example "19.90".':
    'Keine Zahl wie „19,90“ mit höchstens 15 Ziffern und 6 Nachkommastellen.',
  'May be a thousand or have three decimals. Write it without separators of thousands, or with two decimals, for example "1234.00".':
    'Kann ein Tausender sein oder drei Nachkommastellen haben. Ohne Tausendertrennung schreiben oder mit zwei Nachkommastellen, zum Beispiel „1234,00“.',
  'Must have the form {format}.': 'Hat nicht die erwartete Form.',
  'Must be one of {values}.': 'Möglich ist nur: {values}.',
  'Must have at least one supported field.': 'Es gibt nichts zu ändern.',
  'Must be {type}, not {other}.': 'Der Wert hat die falsche Art.',
  'Control characters other than tab and newline are not allowed.':
    'Enthält Steuerzeichen, die nicht gespeichert werden können.',
  'Unknown field "{name}".': 'Das Feld „{name}“ gibt es nicht.',
  'Unknown field "{name}". Did you mean "{other}"?':
    'Das Feld „{name}“ gibt es nicht. Meinten Sie „{other}“?',
  'Unknown parameter "{name}".': 'Die Angabe „{name}“ gibt es nicht.',
  'Unknown parameter "{name}". Did you mean "{other}"?':
    'Die Angabe „{name}“ gibt es nicht. Meinten Sie „{other}“?',
  'The field "{field}" is read-only; leave it out.': 'Das Feld „{field}“ kann nicht geändert werden.',
  'No such record.': 'Diesen Eintrag gibt es nicht, oder Sie haben keinen Zugriff darauf.',
  'The record {id} is in the trash. Restore it first.':
    'Worauf er sich bezieht, ist im Papierkorb. Stellen Sie das zuerst wieder her.',
  'The record {id} no longer exists.': 'Worauf er sich bezieht, gibt es nicht mehr.',
  'Cannot be changed.': 'Kann nicht geändert werden.',
  'Give at most {number} parameters in one request.': 'Höchstens {number} Angaben auf einmal.',
  'Must have at most {number} values, separated by commas.': 'Höchstens {number} Werte.',
  'Must have at most {number} values, each in a parameter of its own.': 'Höchstens {number} Werte.',
  'Give this parameter only once.': 'Diese Angabe ist nur einmal erlaubt.',
  'Is not percent-encoded UTF-8.': 'Die Adresse ist beschädigt.',
  // Forms of values.
  'Must be a language tag (BCP 47), for example "en-GB".': 'Kein Sprachcode wie „de“ oder „de-AT“.',
  'Must be the name of an IANA time zone, for example "Europe/Berlin".':
    'Keine Zeitzone wie „Europe/Berlin“.',
  'Must consist of lower-case letters and digits, separated by single hyphens.':
    'Nur Kleinbuchstaben und Ziffern, durch einzelne Bindestriche getrennt.',
  'Must consist of the letters a to z and digits, separated by single hyphens.':
    'Nur die Buchstaben a bis z und Ziffern, durch einzelne Bindestriche getrennt.',
  'Must be a host name, for example "blog.example.com".': 'Kein Hostname wie „blog.example.com“.',
  'Must be a domain of at least two labels or a link to one, for example "example.com".':
    'Keine Domain wie „example.com“.',
  'Must be an absolute https address.': 'Keine vollständige Adresse mit https://.',
  'Must be an https address.': 'Die Adresse muss mit https:// beginnen.',
  'Must not contain a user name or password.': 'Ohne Benutzername und Passwort.',
  'The port must be 80, 443 or at least {number}.': 'Der Port muss 80, 443 oder mindestens {number} sein.',
  'The address is not public.': 'Die Adresse ist nicht öffentlich.',
  'The address is not public. Only the operator of this server can allow private addresses, with the setting {name}.':
    'Die Adresse ist nicht öffentlich. Nur der Betreiber dieses Servers kann private Adressen zulassen, mit der Einstellung {name}.',
  'The host name resolves to an address that is not public. Only the operator of this server can allow private addresses, with the setting {name}.':
    'Der Hostname führt zu einer Adresse, die nicht öffentlich ist. Nur der Betreiber dieses Servers kann private Adressen zulassen, mit der Einstellung {name}.',
  'The host name could not be resolved.': 'Zum Hostnamen wurde keine Adresse gefunden.',
  'The server was stopped.': 'Der Server wurde beendet.',
  'No response within {number} seconds.': 'Keine Antwort innerhalb von {number} Sekunden.',
  'The connection was refused.': 'Die Verbindung wurde abgelehnt.',
  'The connection was closed before a response arrived.':
    'Die Verbindung wurde geschlossen, bevor eine Antwort kam.',
  'The host could not be reached.': 'Der Host ist nicht erreichbar.',
  'The TLS handshake failed.': 'Der Aufbau der TLS-Verbindung ist fehlgeschlagen.',
  'The headers of the response are too large.': 'Die Header der Antwort sind zu groß.',
  'The response switches to another protocol than HTTP.':
    'Die Antwort wechselt von HTTP zu einem anderen Protokoll.',
  'The response is not HTTP.': 'Die Antwort ist kein HTTP.',
  'The certificate of the host was not accepted ({code}).':
    'Das Zertifikat des Hosts wurde nicht anerkannt ({code}).',
  'The call failed.': 'Der Aufruf ist fehlgeschlagen.',
  'The call failed ({code}).': 'Der Aufruf ist fehlgeschlagen ({code}).',
  'Must be an absolute http or https address.': 'Keine vollständige Webadresse mit http:// oder https://.',
  'Must be an e-mail address, for example "ada@example.com".': 'Keine E-Mail-Adresse wie „ada@example.com“.',
  'Must be an e-mail address that an account can have.':
    'Diese E-Mail-Adresse ist für ein Konto nicht möglich.',
  'Must be a phone number, with the country or as it is dialled in the country of the organization.':
    'Keine Telefonnummer mit Landesvorwahl oder im Land der Organisation.',
  'Not a valid phone number. Begin it with + and the country code, or give its country.':
    'Keine gültige Telefonnummer. Beginnen Sie mit + und der Landesvorwahl, oder geben Sie das Land an.',
  'Must be an ISBN with a right check digit, for example "978-0-14-143947-1".':
    'Keine ISBN mit richtiger Prüfziffer wie „978-0-14-143947-1“.',
  'Must be an ISSN with a right check digit, for example "0028-0836".':
    'Keine ISSN mit richtiger Prüfziffer wie „0028-0836“.',
  'Must be a DOI, for example "10.1000/182".': 'Keine DOI wie „10.1000/182“.',
  'Must be a date: YYYY, YYYY-MM or YYYY-MM-DD, on a day that exists.':
    'Kein Datum wie 2026, 2026-03 oder 2026-03-01.',
  'Must be a country, by its code (ISO 3166-1) or name, for example "DE" or "Germany".':
    'Kein Land wie „DE“ oder „Deutschland“.',
  '"{text}" is not the name or code of a country. Did you mean "{text2}"?':
    '„{text}“ ist kein Name oder Code eines Landes. Meinen Sie „{text2}“?',
  '"{text}" is not the name or code of a country. Its code (ISO 3166-1), such as "DE", is always known.':
    '„{text}“ ist kein Name oder Code eines Landes. Der Code aus zwei Buchstaben wie „DE“ ist immer bekannt.',
  'Must be one phone number and nothing else, in digits or in letters of its keys. An extension is written as "ext. 12".':
    'Nur eine Telefonnummer, in Ziffern oder Buchstaben ihrer Tasten. Eine Durchwahl steht als „Durchwahl 12“ dahinter.',
  'No country has the code behind the +.': 'Die Landesvorwahl hinter dem + gibt es nicht.',
  'Has too few digits for a phone number of this country.':
    'Hat zu wenige Ziffern für eine Telefonnummer dieses Landes.',
  'Has too many digits for a phone number of this country.':
    'Hat zu viele Ziffern für eine Telefonnummer dieses Landes.',
  'Any text.': 'Beliebiger Text.',
  'Must be the code of a currency in use (ISO 4217), for example "EUR".': 'Keine gültige Währung wie „EUR“.',
  'Must be a colour: # and six hexadecimal digits, for example "#1f6feb".':
    'Keine Farbe: eine Raute und sechs Hexadezimalziffern, zum Beispiel #1f6feb.',
  'Any text; case is ignored.': 'Beliebiger Text; Groß- und Kleinschreibung spielt keine Rolle.',
  'Must be an event type such as article.published, or article.* for all types of a resource.':
    'Kein Ereignistyp wie article.published oder article.*.',
  'Must be event types such as article.published or article.*, divided by commas.':
    'Keine Ereignistypen wie article.published oder article.*, durch Kommas getrennt.',
  'Must be an instant with an offset (RFC 3339), for example "2026-03-01T09:00:00Z".':
    'Kein Datum mit Uhrzeit.',
  'Must be "earliest", "latest", or an instant such as 2026-03-01T00:00:00Z.': 'Kein Datum mit Uhrzeit.',
  'Must be an instant in the future (RFC 3339).': 'Muss in der Zukunft liegen.',
  'Must be an instant in the future, at most {years} years ahead (RFC 3339).':
    'Muss in der Zukunft liegen, höchstens {years} Jahre voraus.',
  // Rules of single resources.
  'Must be one of categoryIds.': 'Muss eine der Kategorien des Artikels sein.',
  'Must be later than scheduledFor.': 'Muss nach der Veröffentlichung liegen.',
  'A FORTHCOMING book requires a publicationDate.': 'Ein angekündigtes Buch braucht ein Erscheinungsdatum.',
  'There is already a price in {currency} for all countries.':
    'Es gibt schon einen Preis in {currency} für alle Länder.',
  'There is already a price in {currency} for {country}.':
    'Es gibt schon einen Preis in {currency} für {country}.',
  'A contact requires a name, an e-mail address or a phone number.':
    'Ein Kontakt braucht einen Namen, eine E-Mail-Adresse oder eine Telefonnummer.',
  'At least one of title, number and coverDate is required.':
    'Ein Titel, eine Nummer oder ein Titeldatum ist erforderlich.',
  'The list has this article already.': 'Dieser Artikel steht schon in der Liste.',
  'Must differ from issnPrint.': 'Muss sich von der ISSN der Druckausgabe unterscheiden.',
  'A CEASED magazine requires an endDate.': 'Eine eingestellte Zeitschrift braucht ein Ende.',
  'Must not be before startDate.': 'Darf nicht vor dem Beginn liegen.',
  'A client of the kind BROWSER needs it.': 'Eine Anwendung für Browser braucht diese Angabe.',
  'Only a client of the kind BROWSER has it.': 'Nur eine Anwendung für Browser hat diese Angabe.',
  'Is not an origin. Write scheme, host and, if it is not the usual one, port: https://www.example.com.':
    'Keine Adresse einer Website wie https://www.example.com, bei Bedarf mit Port.',
  'A client of the kind {value} has no tokens.': 'Eine Anwendung der Art „{value}“ hat keine Tokens.',
  'Keys in capitals are those of built-in roles.': 'Großgeschriebene Kürzel gehören den eingebauten Rollen.',
  'There is no resource "{name}".': 'Den Bereich „{name}“ gibt es nicht.',
  'There is no resource "{name}". Did you mean "{other}"?':
    'Den Bereich „{name}“ gibt es nicht. Meinten Sie „{other}“?',
  'The permission is the same as /grants/{number}.': 'Dieses Recht kommt doppelt vor.',
  'Only the built-in roles OWNER and ADMIN have permissions on {value}.':
    'Rechte für „{value}“ haben nur die eingebauten Rollen Inhaber und Administrator.',
  'Possible actions on {value}: {values}.': 'Möglich für „{value}“: {values}.',
  'Only the actions {values} can be limited to own records.':
    'Auf eigene Einträge lassen sich nur diese Aktionen beschränken: {values}.',
  'Whoever may {value2} {value} must also be able to read them: add the action "read".':
    'Zu „{value}: {value2}“ gehört auch das Recht, sie zu lesen.',
  'Name at least one scope.': 'Wählen Sie mindestens eine Berechtigung.',
  'There is no scope "{name}".': 'Die Berechtigung „{name}“ gibt es nicht.',
  'There is no scope "{name}". Did you mean "{other}"?':
    'Die Berechtigung „{name}“ gibt es nicht. Meinten Sie „{other}“?',
  'Name at least one type; `*` matches every type.': 'Wählen Sie mindestens einen Ereignistyp.',
  'Name at least one site; `null` is all sites, and what belongs to none.':
    'Wählen Sie mindestens eine Website.',
  'Events of the type "{name}" belong to no site, so an endpoint of certain sites does not receive them. Use another endpoint for them.':
    'Ereignisse des Typs „{name}“ gehören zu keiner Website. Ein Endpunkt für bestimmte Websites erhält sie nicht; verwenden Sie dafür einen anderen.',
  'People change their own names.': 'Ihren Namen ändern Personen selbst.',
  'Nobody is responsible for a person.': 'Für eine Person ist niemand verantwortlich.',
  'A person is responsible for a service member.': 'Für ein Dienstmitglied ist eine Person verantwortlich.',
  'Must be an active member and a person.': 'Muss ein aktives Mitglied und eine Person sein.',
  'Is responsible for {number} service member: name somebody else there first.':
    'Ist für {number} Dienstmitglied verantwortlich. Benennen Sie dort zuerst jemand anderen.',
  'Is responsible for {number} service members: name somebody else there first.':
    'Ist für {number} Dienstmitglieder verantwortlich. Benennen Sie dort zuerst jemand anderen.',
  'A new article is always a DRAFT. Change the status with a PATCH.':
    'Ein neuer Artikel ist immer ein Entwurf.',
  'A SCHEDULED version needs an instant in the future.':
    'Eine geplante Fassung braucht einen Zeitpunkt in der Zukunft.',
  'Only the owner of the file, or a member with the role OWNER or ADMIN, can change who sees it.':
    'Wer die Datei sieht, bestimmen die zuständige Person sowie Inhaber und Administratoren.',
  'The file has no content yet.': 'Die Datei hat noch keinen Inhalt.',
  'Nothing was published: every article of the issue must be APPROVED, with no unpublishAt that has passed, or already PUBLISHED.':
    'Es wurde nichts veröffentlicht: Jeder Artikel der Ausgabe muss freigegeben oder veröffentlicht sein, und keiner darf schon zurückzuziehen sein.',
  'The working version of {id} is {value}, not APPROVED.': 'Dieser Artikel ist nicht freigegeben: {value}.',
  'The unpublishAt of {id} has passed.':
    'Der Zeitpunkt, zu dem dieser Artikel zurückgezogen wird, ist vorbei.',
  'The list of {name} has no column "{field}".': 'Die Liste hat keine Spalte „{field}“.',
  'The list of {name} has no column "{field}". Did you mean "{field2}"?':
    'Die Liste hat keine Spalte „{field}“. Meinten Sie „{field2}“?',
  'A width is a number of pixels from {number} to {number2}, as in "{field}".':
    'Eine Breite ist eine Zahl von Pixeln zwischen {number} und {number2}, wie in „{field}“.',
  'The endpoint is DISABLED. Enable it first.': 'Der Webhook ist deaktiviert. Aktivieren Sie ihn zuerst.',
  'Must be after `from`.': 'Muss nach dem Anfang liegen.',
  'There are more than {number} events in this time span: replay a shorter span.':
    'In dieser Zeit gab es mehr als {number} Ereignisse. Wählen Sie einen kürzeren Zeitraum.',
  'A webhook endpoint acts for a person, not for a service member.':
    'Ein Webhook handelt für eine Person, nicht für ein Dienstmitglied.',
  // Values that another record has, uses of a record, and transitions.
  'Still used by {counts}.': 'Wird noch verwendet: {counts}.',
  'This value is already taken.': 'Dieser Wert ist bereits vergeben.',
  'Another record already has this value.': 'Ein anderer Eintrag hat bereits diesen Wert.',
  'Another record already has this {fields}.': 'Ein anderer Eintrag hat bereits diesen Wert: {fields}.',
  'The status cannot move from {value} to {value2}, only to {values}.':
    'Aus „{value}“ ist nur ein Wechsel möglich zu: {values}.',
  'The status cannot move from {value} to {value2}, to none.': 'Aus „{value}“ ist kein Wechsel möglich.',
  'Another {name} has this {fields} and no {fields2} either. Give a {fields3} to tell them apart.':
    'Ein anderer Eintrag hat denselben Wert ({fields}) und auch keine Angabe für: {fields2}. Ergänzen Sie eine davon.',
  'Another {name} has no {fields2} either. Give a {fields3} to tell them apart.':
    'Auch ein anderer Eintrag hat keine Angabe für: {fields2}. Ergänzen Sie eine davon.',
  'Neither record has one: a {field} tells them apart.':
    'Beide Einträge haben keine Angabe. Ergänzen Sie eine: {field}.',
  'Together with what is not given, this value is already taken.':
    'Zusammen mit den fehlenden Angaben ist dieser Wert bereits vergeben.',
  'Allowed: none.': 'Kein Wechsel möglich.',
  'Allowed: {values}.': 'Möglich: {values}.',
  'A new {name} is {values}. Change the status with a PATCH.': 'Ein neuer Eintrag ist zunächst: {values}.',
  // Rights and limits.
  'The token needs the scopes: {scopes}.': 'Dieser Anmeldung fehlen Berechtigungen: {scopes}.',
  'The module "{value}" is switched off in this organization.':
    'Der Bereich „{value}“ ist in dieser Organisation abgeschaltet.',
  'The role {value} may not {value2} {value3}.': 'Die Rolle „{value}“ erlaubt das nicht: {value3}, {value2}.',
  'The role {value} may change only records that its user created.':
    'Die Rolle „{value}“ erlaubt nur Änderungen an eigenen Einträgen.',
  'This session has read as many {records} within a day as an export has. So that nobody takes them away, reading more of them requires a sign-in within the last {number} minutes.':
    'In dieser Sitzung wurden innerhalb eines Tages so viele Einträge gelesen, wie ein Export umfasst ({records}). Damit niemand sie mitnimmt, müssen Sie sich für weitere in den letzten {number} Minuten angemeldet haben.',
  'This session has deleted 100 records within a day. Deleting more requires a sign-in within the last {number} minutes.':
    'In dieser Sitzung wurden innerhalb eines Tages 100 Einträge gelöscht. Für weitere müssen Sie sich in den letzten {number} Minuten angemeldet haben.',
  'Requires a sign-in within the last {number} minutes.':
    'Dafür müssen Sie sich in den letzten {number} Minuten angemeldet haben.',
  'Built-in roles can be neither changed nor deleted.':
    'Eingebaute Rollen lassen sich weder ändern noch löschen.',
  'An organization has at most {number} webhook endpoints.':
    'Eine Organisation hat höchstens {number} Webhooks.',
  'An organization has at most {number} roles besides the built-in ones.':
    'Eine Organisation hat neben den eingebauten höchstens {number} Rollen.',
  'An organization has at most {number} service members.':
    'Eine Organisation hat höchstens {number} Dienstmitglieder.',
  'An organization has at most {number} pending invitations.':
    'Eine Organisation hat höchstens {number} offene Einladungen.',
  'A user has at most {number} views in an organization.':
    'Jede Person hat in einer Organisation höchstens {number} Ansichten.',
  'An account has at most {number} passkeys.': 'Ein Konto hat höchstens {number} Passkeys.',
  'The user is no longer a member.': 'Diese Person ist kein Mitglied mehr.',
  'Your token is not for the resource "{name}", so it cannot create one that is.':
    'Ihre Anmeldung gilt nicht für „{name}“ und kann kein Token dafür anlegen.',
  // Invitations and signing in.
  'An account with this address exists. Sign in to it to accept.':
    'Für diese Adresse gibt es schon ein Konto. Melden Sie sich an, um die Einladung anzunehmen.',
  'The invitation is for {email}.': 'Die Einladung gilt für {email}.',
  'You are already a member.': 'Sie sind bereits Mitglied.',
  'The invitation was {value}. Create another one.':
    'Die Einladung ist nicht mehr offen. Legen Sie eine neue an.',
  'A service member sends no invitations: a person sends them.': 'Einladungen versendet nur eine Person.',
  '{email} is already a member.': '{email} ist bereits Mitglied.',
  '{email} is invited already: send that invitation again, or revoke it first.':
    '{email} ist bereits eingeladen. Senden Sie diese Einladung erneut, oder widerrufen Sie sie zuerst.',
  'Not a code of this secret. Check the clock of the device.':
    'Der Code passt nicht. Prüfen Sie, ob die Uhr des Geräts richtig geht.',
  'The code is wrong, was used before, or has expired.':
    'Der Code ist falsch, wurde schon verwendet oder ist abgelaufen.',
  'The password is wrong.': 'Das Passwort ist falsch.',
  'Give your current password or a passkey.': 'Geben Sie Ihr aktuelles Passwort oder einen Passkey an.',
  'This password is too common. Choose another, such as four random words.':
    'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein anderes, zum Beispiel vier zufällige Wörter.',
  'This password is too close to the e-mail address or the name. Choose another, such as four random words.':
    'Dieses Passwort ähnelt dem Namen oder der E-Mail-Adresse zu sehr. Wählen Sie ein anderes, zum Beispiel vier zufällige Wörter.',
  'This passkey is not known here.': 'Dieser Passkey ist hier nicht bekannt.',
  'The passkey did not sign the challenge.': 'Die Anmeldung mit dem Passkey ist fehlgeschlagen.',
  'Not the passkey that was requested.': 'Das ist ein anderer Passkey als der angeforderte.',
  'The passkey is somebody else’s.': 'Der Passkey gehört jemand anderem.',
  'The account at the provider is somebody else’s.': 'Das Konto beim Anmeldedienst gehört jemand anderem.',
  'The account at the provider is connected with another user.':
    'Das Konto beim Anmeldedienst ist mit einer anderen Person verbunden.',
  'No account here is connected with the one at the provider.':
    'Mit dem Konto beim Anmeldedienst ist hier kein Konto verbunden.',
  'The provider has not confirmed who you are.': 'Der Anmeldedienst hat Ihre Identität nicht bestätigt.',
  'The provider did not ask you to sign in again.': 'Der Anmeldedienst hat keine neue Anmeldung verlangt.',
  'No provider is set up on this server.': 'Auf diesem Server ist kein Anmeldedienst eingerichtet.',
  'You have a passkey: prove with it who you are.': 'Bestätigen Sie Ihre Identität mit Ihrem Passkey.',
  'The file is no picture.': 'Die Datei ist kein Bild.',
  'No copy can be made of this picture.': 'Von diesem Bild lässt sich keine Kopie herstellen.',
  'Too many attempts have failed.': 'Zu viele Versuche sind fehlgeschlagen.',
  'Too many sign-ins at the moment.': 'Im Moment melden sich zu viele Personen an.',
  // Imports: what was adjusted, left out or rejected.
  'slug written in lower case, with hyphens': 'Slug in Kleinbuchstaben mit Bindestrichen geschrieben',
  'whole numbers written with ".0"': 'ganze Zahlen mit „.0“ gelesen',
  'years written with ".0"': 'Jahreszahlen mit „.0“ gelesen',
  'years before 1 dropped, which the API cannot store': 'Jahre vor unserer Zeitrechnung weggelassen',
  'years padded to four digits': 'Jahreszahlen auf vier Stellen ergänzt',
  'times of day dropped from dates': 'Uhrzeiten aus Datumsangaben entfernt',
  'dates written as YYYY-MM-DD': 'Datumsangaben vereinheitlicht',
  'names of languages written as codes': 'Namen von Sprachen als Codes geschrieben',
  'languages of three letters written with two (ISO 639-1)':
    'Sprachcodes von drei auf zwei Buchstaben gekürzt',
  'language written as a BCP 47 tag': 'Sprachcodes vereinheitlicht',
  'country codes in capitals': 'Ländercodes groß geschrieben',
  'names of countries written as codes': 'Namen von Ländern als Codes geschrieben',
  'German names written as values': 'deutsche Bezeichnungen erkannt',
  'web addresses completed with https://': 'Webadressen um https:// ergänzt',
  'ISBN-13 computed from the ISBN-10': 'ISBN-13 aus der ISBN-10 berechnet',
  'repeated rows skipped': 'wiederholte Zeilen übersprungen',
  'expired already: left as a draft': 'bereits abgelaufen: als Entwurf angelegt',
  'dates without an offset are read in {place}': 'Datumsangaben ohne Zeitzone gelten in {place}',
  'imports of MDX left out': 'Importe von MDX weggelassen',
  'components and exports of MDX stay in the text as code: check what readers see':
    'Komponenten und Exporte von MDX bleiben als Code im Text: Prüfen Sie, was Leser sehen',
  'title taken from the first heading': 'Titel aus der ersten Überschrift übernommen',
  'title taken from the name of the file': 'Titel aus dem Dateinamen übernommen',
  'existing records that differ from their rows, left as was chosen':
    'Vorhandene Einträge mit anderen Werten, wie gewählt unverändert',
  'existing records that were changed later than their rows':
    'Vorhandene Einträge, die später geändert wurden als ihre Zeilen',
  'existing records whose rows do not say when they were last changed':
    'Vorhandene Einträge, deren Zeilen nicht sagen, wann sie zuletzt geändert wurden',
  'rows that stand for the record of an earlier row, skipped as was chosen':
    'Zeilen zum Eintrag einer früheren Zeile, wie gewählt übersprungen',
  'rows that are not newer than an earlier row for the same record':
    'Zeilen, die nicht neuer sind als eine frühere Zeile zum selben Eintrag',
  'rows that stand for the record of an earlier row and do not say when they were last changed':
    'Zeilen zum Eintrag einer früheren Zeile, die nicht sagen, wann sie zuletzt geändert wurden',
  'an earlier row of the file': 'eine frühere Zeile der Datei',
  'status {value} of the row ignored, since statuses are not applied':
    'Status „{value}“ nicht übernommen, wie gewünscht',
  'status kept at {value}: no transition leads to {value2}':
    'Status „{value}“ beibehalten: Ein Wechsel zu „{value2}“ ist nicht möglich',
  '{name} dropped: exports do not contain {target}':
    '{name} weggelassen: Exporte enthalten solche Einträge nicht',
  'empty rows': 'leere Zeilen',
  'rows of other resources': 'Zeilen anderer Bereiche',
  'Must be a list of names.': 'Muss eine Liste von Namen sein.',
  '"{text}" is not one of {values}.': '„{text}“ ist nicht möglich, nur: {values}.',
  '"{text}" is neither true nor false.': '„{text}“ ist weder ja noch nein.',
  '"{text}" is in scientific notation, so its last digits are lost. Correct a cell, or empty all cells with the ISBN.':
    '„{text}“ ist eine gerundete Zahl, ihre letzten Ziffern fehlen. Korrigieren Sie die Zelle, oder leeren Sie alle Zellen mit der ISBN.',
  '"{text}" is neither an ISBN-13 nor an ISBN-10 with a valid check digit. Correct a cell, or empty all cells with the ISBN.':
    '„{text}“ ist keine ISBN mit gültiger Prüfziffer. Korrigieren Sie die Zelle, oder leeren Sie alle Zellen mit der ISBN.',
  '{what} is also in line {line}, but must be unique.':
    '{what} steht auch in Zeile {line}, muss aber eindeutig sein.',
  '"{text}" is also in an earlier row.': '„{text}“ steht auch in einer früheren Zeile.',
  'Stands for the same record as line {line}, with other values. Remove one of the two, or name a column that distinguishes them as its key.':
    'Bezeichnet denselben Eintrag wie Zeile {line}, mit anderen Werten. Entfernen Sie eine der beiden, oder nennen Sie eine Spalte, die sie unterscheidet.',
  'e-mail address': 'E-Mail-Adresse',
  domain: 'Domain',
  ISSN: 'ISSN',
  'the whole row, as it was imported before': 'ganze Zeile, wie sie früher importiert wurde',
  'file, as it was imported from another folder': 'Datei, wie sie aus einem anderen Ordner importiert wurde',
  'name, among the records of an earlier import of this file':
    'Name, unter den Einträgen eines früheren Imports dieser Datei',
  'Somebody has changed it since the import.': 'Seit dem Import hat ihn jemand geändert.',
  'It has been deleted since the import.': 'Er wurde seit dem Import gelöscht.',
  'It is used by {title} ({id}).': 'Er wird von {title} verwendet.',
  'Matches two records: {title} ({id}) by its {word} "{text}", and {other} ({otherId}) by its {otherWord} "{otherText}". Correct the row.':
    'Passt zu zwei Einträgen: zu {title} wegen „{text}“ und zu {other} wegen „{otherText}“. Korrigieren Sie die Zeile.',
  'The {word} "{text}" belongs to {title} ({id}), whose externalId is "{key}", not "{otherKey}". Leave the externalId out to change that record.':
    '„{text}“ gehört zu {title} mit der externen ID „{key}“, nicht „{otherKey}“. Lassen Sie die externe ID weg, um diesen Eintrag zu ändern.',
  'May stand for a record that exists: {titles}. Give its id if it does, or an externalId if it does not.':
    'Könnte ein vorhandener Eintrag sein: {titles}. Geben Sie dessen ID an, wenn er gemeint ist, sonst eine externe ID.',
  'The {word} "{text}" belongs to {title} ({id}).': '„{text}“ gehört schon zu {title}.',
  'There is more than one {noun} called "{text}". Give its id instead.':
    '„{text}“ gibt es mehrmals. Geben Sie stattdessen die ID an.',
  '"{text}" is neither the id nor the externalId of a record of {noun} here.':
    '„{text}“ wurde nicht gefunden.',
  '"{text}" is not an id of {noun}.': '„{text}“ ist keine passende ID.',
  'Nothing in the row identifies its record. Name a column that does as its key.':
    'Nichts in der Zeile kennzeichnet den Eintrag. Nennen Sie eine Spalte, die es tut.',
  'The row has {count} cells instead of {number}. Is a cell missing or a quotation mark wrong?':
    'Die Zeile hat {count} statt {number} Zellen. Fehlt eine Zelle, oder stimmt ein Anführungszeichen nicht?',
  'The row has {count} cells instead of {number}; the first extra one is "{text}". Does a cell with a delimiter lack quotation marks?':
    'Die Zeile hat {count} statt {number} Zellen; die erste überzählige ist „{text}“. Fehlen Anführungszeichen um eine Zelle mit Trennzeichen?',
  'Must be valid UTF-8. Save the file as "CSV UTF-8".':
    'Kein gültiges UTF-8. Speichern Sie die Datei als „CSV UTF-8“.',
  'Must not contain a NUL character.': 'Darf kein NUL-Zeichen enthalten.',
  'The file is not valid UTF-8 in line {line}. Save it as UTF-8.':
    'Zeile {line} der Datei ist kein gültiges UTF-8. Speichern Sie die Datei als UTF-8.',
  'The record was deleted during the import. Run it again.':
    'Der Eintrag wurde während des Imports gelöscht. Starten Sie den Import noch einmal.',
  'Somebody else keeps changing this record. Run the import again.':
    'Jemand anderes ändert diesen Eintrag immer wieder. Starten Sie den Import noch einmal.',
  'Send the bytes of the file as application/octet-stream, or as the only part of multipart/form-data. As {type} a program sends something that describes the file; if the file itself is of this type, send it as application/octet-stream: its type is recognized from its bytes.':
    'Senden Sie die Datei selbst als application/octet-stream oder als einzigen Teil von multipart/form-data, nicht als {type}.',
  'The form cannot be read: {reason}.': 'Das Formular ist nicht lesbar: {reason}.',
  'A published article has a first publication. Give its instant.':
    'Ein veröffentlichter Artikel hat eine erste Veröffentlichung. Geben Sie deren Zeitpunkt an.',
};
