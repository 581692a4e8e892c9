// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it, and records come only while a section is open
import { ProfileBuilder } from '../profile/builder.ts';
import type { CostEvent } from '../profile/profile.ts';
import { RecordBuffer } from '../profile/record.ts';
import { checkRecord, checkSection } from './checks.ts';
import { DamageLog } from './damage.ts';
import { Header } from './header.ts';
import { FunctionCache, IdMap, UNDEFINED } from './ids.ts';

/** No `calls=` line waits for its cost line. */
export const NO_CALL = -1;
/** One that is damaged does: its cost line is left out with it. */
export const LEFT_OUT = -2;

/**
 * Where the reader of a file stands between two lines: header, ids, the function and the record being read. The
 * two readers of lines (`scan.ts` for the usual ones, `lines.ts` for all) both work on it.
 */
export class ReaderState {
  readonly damage = new DamageLog();
  /** Lines read so far; while a line is read, the number of the line before it. */
  line = 0;
  header = new Header();
  /** Something was seen that only a profile has. */
  recognised = false;
  /** The first record of the current section has been seen. */
  inBody = false;
  builder: ProfileBuilder | undefined;
  record = new RecordBuffer(0);

  readonly files = new IdMap();
  readonly names = new IdMap();
  readonly cache = new FunctionCache();
  /** File of the next `fn=`, and of a callee without a file of its own: `fi=` and `fe=` change only the latter. */
  file = UNDEFINED;
  currentFile = UNDEFINED;
  /** Name of the last `fn=`, where an `fl=` alone moves its costs to another file. */
  name = UNDEFINED;
  /** The function whose record is open. */
  fn = UNDEFINED;
  open = false;

  calleeFile = UNDEFINED;
  calleeName = UNDEFINED;
  calleeId = UNDEFINED;
  /** Count of the `calls=` line that waits for its cost line, or NO_CALL, or LEFT_OUT. */
  pendingCalls = NO_CALL;
  /** The next line is the position of a jump, which costs nothing. */
  afterJump = false;
  /** Last value of each position column, which relative ones refer to. */
  positions = new Float64Array(1);

  /** The creator is Xdebug, so what it never writes is damage. */
  strict = false;
  summary: Float64Array | null = null;
  /** The summary that stands inside the open record. */
  ownSummary: Float64Array | null = null;
  totals: Float64Array | null = null;
  /** The summary was the end of a profile: what follows is another one without a header (pcntl_fork). */
  ended = false;
  private sections = 0;
  private readonly wanted: number | undefined;
  /** Indexes of sections that were not merged because they count something else. */
  readonly otherEvents: number[] = [];
  /** Indexes of Xdebug's sections that were never finished. */
  readonly unfinished: number[] = [];
  /** Sections that began without a header. */
  headless = 0;

  /** `section`: 1-based; the only one to take costs from, undefined for all. */
  constructor(section: number | undefined) {
    this.wanted = section;
  }

  get sectionCount(): number {
    return this.sections;
  }

  /** Ends the open record, if one is. */
  commit(): void {
    if (this.pendingCalls !== NO_CALL) this.dropPendingCall();
    if (!this.open) return;
    this.open = false;
    const { empty, selfRows } = this.record;
    if (this.strict && ((selfRows !== 1 && !empty) || this.ownSummary !== null)) checkRecord(this);
    this.ownSummary = null;
    if (empty) return;
    this.builder!.addRecord(this.fn, this.record);
    this.record.clear();
  }

  dropPendingCall(): void {
    this.damage.add('call_without_cost', this.line);
    this.endCall();
  }

  endCall(): void {
    this.pendingCalls = NO_CALL;
    this.calleeFile = UNDEFINED;
    this.calleeName = UNDEFINED;
    this.calleeId = UNDEFINED;
  }

  /** Opens the record of a function; costs and calls that follow are its own. */
  openRecord(name: number, id: number): void {
    this.name = name;
    this.fn = this.builder!.functions.intern(this.file, name, false);
    this.open = true;
    if (id !== UNDEFINED) this.cache.set(id, this.file, this.fn);
  }

  /** Starts the costs of a section whose header has been read. */
  openSection(): void {
    this.inBody = true;
    this.ended = false;
    this.sections++;
    const { header } = this;
    const events = header.events;
    const chosen = this.wanted === undefined || this.wanted === this.sections;
    let same = this.builder !== undefined && sameEvents(events, this.builder.events);
    if (this.builder === undefined || (this.wanted === this.sections && !same)) {
      this.builder = new ProfileBuilder(events, header.xdebug !== undefined, this.builder);
      this.forgetIds();
      same = true;
    }
    if (chosen && !same) this.otherEvents.push(this.sections);
    this.builder.openSection({
      command: header.command,
      creator: header.creator,
      events,
      merged: chosen && same,
    });
    this.strict = header.xdebug !== undefined;
    this.record = new RecordBuffer(events.length);
    this.positions = new Float64Array(Math.max(header.positions.length, 1));
    this.file = this.currentFile = this.name = UNDEFINED;
  }

  /** A forked process goes on writing into the file of its parent, without a header. */
  openHeadless(): void {
    this.closeSection(true);
    this.headless++;
    this.openSection();
  }

  /** Ends the section, if one is open; `goesOn` as for `ProfileBuilder.closeSection`. */
  closeSection(goesOn = false): void {
    this.commit();
    if (!this.inBody) return;
    if (this.summary === null && this.strict) this.unfinished.push(this.sections);
    checkSection(this, this.builder!.sectionTotal);
    this.builder!.closeSection(this.summary, goesOn);
    this.summary = null;
    this.totals = null;
    this.inBody = false;
    this.ended = false;
  }

  /** `restart`: a header of a new file follows, whose ids have nothing to do with those before. */
  startHeader(restart: boolean): void {
    if (restart && !this.inBody && this.header.eventNames !== undefined) this.openSection();
    this.closeSection();
    if (!restart) return;
    this.header = new Header();
    this.forgetIds();
  }

  private forgetIds(): void {
    this.files.clear();
    this.names.clear();
    this.cache.clear();
  }
}

function sameEvents(a: readonly CostEvent[], b: readonly CostEvent[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ key, unit, perUnit }, i) => {
      const other = b[i]!;
      return key === other.key && unit === other.unit && perUnit === other.perUnit;
    })
  );
}
