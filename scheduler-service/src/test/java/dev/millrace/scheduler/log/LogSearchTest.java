package dev.millrace.scheduler.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages and searches of random logs say the same as a look at all chunks, in both directions. */
class LogSearchTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();
    private static final List<String> STEPS = List.of("", "a", "a[0].b", "a[10]", "ab");
    private static final List<LogStream> STREAMS = List.of(LogStream.values());
    private static final List<String> WORDS =
            List.of("needle", "NEEDLE", "nee", "dle", "\u001b[31mnee\u001b[0mdle", "ünï", "\n", "\n", "\r\n", " ");

    private final IdSource ids = new IdSource(() -> 1, RandomGenerator.of("L64X128MixRandom"));
    private final RunId run = ids.nextRun();
    private final LogStore store = new LogStore(DATABASE);
    private final LogSearch searches = new LogSearch(DATABASE);
    private final LogWriter writer =
            LogWriter.start(store, new RunEvents(), MemoryBudget.ofBytes(1_000).part("logs", 1), (_, _) -> true, 1);
    private final LogReader reader = new LogReader(store, writer);
    private final List<LogEntry> written = new ArrayList<>();

    @AfterEach
    void closeWriter() {
        writer.close();
    }

    private void write(SplittableRandom random, int chunks) {
        List<JobId> jobs = List.of(run.rootJob(), ids.nextRun().rootJob());
        for (int chunk = 0; chunk < chunks; chunk++) {
            StringBuilder text = new StringBuilder();
            for (int word = random.nextInt(8); word >= 0; word--) {
                text.append(WORDS.get(random.nextInt(WORDS.size())));
            }
            written.add(new LogEntry(
                    run,
                    jobs.get(random.nextInt(jobs.size())),
                    STEPS.get(random.nextInt(STEPS.size())),
                    1,
                    STREAMS.get(random.nextInt(STREAMS.size())),
                    chunk,
                    text.toString()));
        }
        store.insert(written);
        store.insert(List.of(new LogEntry(ids.nextRun(), run.rootJob(), "", 9, LogStream.STDOUT, 0, "needle\n")));
    }

    @Test
    void findsWhatALookAtAllChunksFinds() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        write(random, 300);
        for (int round = 0; round < 40; round++) {
            LogFilter filter = filter(random);
            boolean isNewestFirst = random.nextBoolean();
            LineSearch search = LineSearch.of(random.nextBoolean() ? "Needle" : "needle", random.nextBoolean());
            LogRange range = LogRange.of(0, 0, isNewestFirst);

            List<String> found = new ArrayList<>();
            String token = "";
            do {
                var page = searches.find(run, filter, range, search, PageRequest.of(1 + random.nextInt(20), token));
                page.matches().forEach(match -> found.add(match.chunk().entry().sequence() + ":" + match.line()));
                token = page.nextToken();
            } while (!token.isEmpty());

            assertThat(found).as("%s %s", filter, search).isEqualTo(expected(filter, search, isNewestFirst));
        }
    }

    @Test
    void pagesHaveEachChunkOnce() {
        SplittableRandom random = new SplittableRandom(7);
        write(random, 300);
        for (boolean isNewestFirst : new boolean[] {false, true}) {
            for (LogFilter filter : List.of(LogFilter.ALL, filter(random), filter(random))) {
                List<LogEntry> read = new ArrayList<>();
                String token = "";
                do {
                    var page = reader.page(run, filter, LogRange.of(0, 0, isNewestFirst), PageRequest.of(17, token));
                    assertThat(page.bounds().last() - page.bounds().first()).isGreaterThanOrEqualTo(299);
                    page.chunks().forEach(chunk -> read.add(chunk.entry()));
                    token = page.nextToken();
                } while (!token.isEmpty());
                List<LogEntry> wanted = new ArrayList<>(
                        written.stream().filter(entry -> fits(entry, filter)).toList());
                if (isNewestFirst) {
                    Collections.reverse(wanted);
                }
                assertThat(read).isEqualTo(wanted);
            }
        }
    }

    @Test
    void looksAtAPartBetweenPositions() {
        write(new SplittableRandom(8), 20);
        var all = reader.page(run, LogFilter.ALL, LogRange.of(0, 0, false), PageRequest.of(100, ""))
                .chunks();
        long after = all.get(4).position();
        long before = all.get(9).position();

        var part = reader.page(run, LogFilter.ALL, LogRange.of(after, before, true), PageRequest.of(100, ""));

        assertThat(part.chunks()).isEqualTo(all.subList(5, 9).reversed());
        assertThat(part.nextToken()).isEmpty();
    }

    @Test
    void showsThePartOfALongLineAroundTheText() {
        store.insert(List.of(new LogEntry(
                run, run.rootJob(), "", 1, LogStream.STDOUT, 0, "x".repeat(50_000) + "needle" + "y".repeat(50_000))));

        var page = searches.find(
                run, LogFilter.ALL, LogRange.of(0, 0, false), LineSearch.of("needle", true), PageRequest.of(10, ""));

        assertThat(page.matches())
                .singleElement()
                .satisfies(match -> assertThat(match.excerpt())
                        .hasSize(LineSearch.EXCERPT_MAX)
                        .contains("xneedley"));
    }

    @Test
    void refusesTheTokenOfAnotherList() {
        assertThatThrownBy(() -> searches.find(
                        run,
                        LogFilter.ALL,
                        LogRange.of(0, 0, false),
                        LineSearch.of("a", true),
                        PageRequest.of(10, PageRequest.token("12"))))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("page_token");
    }

    private LogFilter filter(SplittableRandom random) {
        EnumSet<LogStream> streams = EnumSet.of(LogStream.STDOUT);
        for (LogStream stream : LogStream.values()) {
            if (random.nextBoolean()) {
                streams.add(stream);
            }
        }
        return new LogFilter(
                random.nextInt(4) == 0 ? Optional.of(run.rootJob()) : Optional.empty(),
                random.nextBoolean() ? STEPS.get(random.nextInt(STEPS.size())) : "",
                streams);
    }

    private static boolean fits(LogEntry entry, LogFilter filter) {
        String key = entry.stepKey();
        String step = filter.step();
        return filter.job().map(entry.job()::equals).orElse(true)
                && filter.streams().contains(entry.stream())
                && (step.isEmpty() || key.equals(step) || key.startsWith(step + ".") || key.startsWith(step + "["));
    }

    /** The places of the lines that contain the text, as sequence and number of the line. */
    private List<String> expected(LogFilter filter, LineSearch search, boolean isNewestFirst) {
        List<String> places = new ArrayList<>();
        for (LogEntry entry : written) {
            String[] lines = entry.text().split("\n", -1);
            for (int line = 0; line < lines.length; line++) {
                String plain = lines[line].replaceAll("\u001b\\[[0-9]*m", "");
                String compared = search.matchesCase() ? plain : plain.toLowerCase(Locale.ROOT);
                if (fits(entry, filter) && compared.contains(search.text())) {
                    places.add(entry.sequence() + ":" + line);
                }
            }
        }
        if (isNewestFirst) {
            Collections.reverse(places);
        }
        return places;
    }
}
