package dev.millrace.scheduler.retention;

import dev.millrace.scheduler.config.RetentionConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loop that removes old rows by the rules that features declare. Thread-safe.
 *
 * <p>Every scheduler runs the loop, but only one scheduler at a time sweeps by a rule. A sweep is a series of short
 * transactions: if it is interrupted anywhere, the next sweep continues.
 */
public final class Retention implements AutoCloseable {
    public static final List<TableRetention> TABLES = List.of(new NoRule("retention_sweep", "a row for each rule"));

    private static final Logger log = LoggerFactory.getLogger(Retention.class);
    /** How often to look for rules that are due. */
    private static final Duration LOOK_INTERVAL = Duration.ofMinutes(1);
    /** Time until a failed sweep is retried. */
    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(5);

    private final RetentionStore store;
    private final List<RetentionRule> rules;
    private final Loop loop = Loop.of("retention", this::runOnce);

    /** Fails if a setting of {@code config} belongs to no rule. */
    public Retention(Database database, RetentionConfig config, List<RetentionRule> rules) {
        config.requireKnown(
                rules.stream().flatMap(rule -> rule.age().setting().stream()).collect(Collectors.toSet()));
        this.store = new RetentionStore(database, config);
        this.rules = List.copyOf(rules);
    }

    /** Adds the partitions that rows need today, and starts to sweep. */
    public Retention start() {
        rules.stream()
                .filter(rule -> rule instanceof OldDays || rule instanceof WholeDays)
                .forEach(this::addToday);
        loop.start();
        return this;
    }

    private void addToday(RetentionRule rule) {
        try {
            store.addToday(rule);
        } catch (RuntimeException failure) {
            log.atWarn()
                    .addKeyValue("table", rule.table())
                    .setCause(failure)
                    .log("The partition of the day could not be added; the next sweep adds it");
        }
    }

    /** Contents of each rule's table, in the order of the rules. */
    public List<RetentionStatus> status() {
        return store.status(rules);
    }

    /** Sweeps by the rules that are due. Returns the time until the next look. */
    public Duration runOnce() {
        for (RetentionRule rule : store.due(rules)) {
            try {
                sweep(rule);
            } catch (RuntimeException failure) {
                log.atWarn()
                        .addKeyValue("table", rule.table())
                        .setCause(failure)
                        .log("A sweep of old rows failed and will be retried");
                store.noteFailure(rule, cause(failure), RETRY_INTERVAL);
            }
        }
        return LOOK_INTERVAL;
    }

    private void sweep(RetentionRule rule) {
        Set<Day> full = new HashSet<>();
        long rows = 0;
        Optional<Removed> removed;
        do {
            removed = store.step(rule, rows, full);
            rows += removed.map(Removed::rows).orElse(0L);
        } while (removed.filter(Removed::isMore).isPresent() && !loop.isClosed());
        log.atDebug()
                .addKeyValue("table", rule.table())
                .addKeyValue("rows", rows)
                .log("A sweep has removed old rows");
    }

    private static String cause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    @Override
    public void close() {
        loop.close();
    }
}
