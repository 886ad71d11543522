package dev.millrace.scheduler.postgres;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.postgres.core.OutboxRow;
import dev.millrace.scheduler.postgres.core.Settling;
import dev.millrace.scheduler.trigger.ListenTrouble;
import dev.millrace.scheduler.trigger.ListenTurns;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerListener;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.tls.AddressRule;
import dev.millrace.tls.AnswerTurns;
import dev.millrace.tls.BoundedConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Listens for one trigger: reads its table, and gets the notifications of its channel. Of all schedulers, the one that holds
 * the trigger's position connects; the others wait until it has not prolonged its hold.
 *
 * <p>Runs on a thread of its own; only {@link #stop} is called by others.
 */
final class PostgresListener implements TriggerListener {
    /** How long a scheduler that has died still counts as listening. */
    static final Duration HOLD_TIME = Duration.ofSeconds(15);
    /** Largest number of rows that are read at a time. */
    private static final int ROWS_MAX = 500;
    /** Length of rows that are read at a time, in characters, from which on no further one is. */
    private static final long ROWS_CHARS_MAX = 1 << 20;
    /** Largest number of rows that are counted as lag. */
    private static final int LAG_MAX = 10_000;

    private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(5);
    private static final Duration LAG_INTERVAL = Duration.ofSeconds(15);
    private static final Duration NOTIFICATION_WAIT = Duration.ofMillis(500);
    private static final Duration BUSY_WAIT = Duration.ofSeconds(1);
    private static final Duration SETTLING_WAIT_MIN = Duration.ofMillis(20);
    private static final Duration SETTLING_WAIT_MAX = Duration.ofSeconds(1);
    /** Time after which transactions that hold rows up are told in the history. */
    private static final Duration SETTLING_PATIENCE = Duration.ofMinutes(1);

    private final PostgresPositionStore.Holder self;
    private final PostgresSettings settings;
    private final Means means;
    private final Occurrences occurrences;
    private final PostgresCounts.OfTrigger counts;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private int rowsMax = ROWS_MAX;
    private Optional<Settling> settling = Optional.empty();
    private long settlingSince;
    private Duration settlingWait = SETTLING_WAIT_MIN;

    /**
     * What listeners share.
     *
     * @param answers turns of those that read large answers
     * @param rowCharsMax length from which on a row cannot be an input, in characters
     */
    record Means(
            AddressRule hosts,
            AnswerTurns answers,
            TriggerConnections connections,
            PostgresPositionStore positions,
            TriggerStarts starts,
            long rowCharsMax) {}

    PostgresListener(
            PostgresPositionStore.Holder self,
            PostgresSettings settings,
            Means means,
            Occurrences occurrences,
            PostgresCounts.OfTrigger counts) {
        this.self = self;
        this.settings = settings;
        this.means = means;
        this.occurrences = occurrences;
        this.counts = counts;
    }

    @Override
    public void stop() {
        stopped.countDown();
    }

    @Override
    public void run() throws ListenTrouble, InterruptedException {
        try {
            while (!isStoppedWithin(Duration.ZERO)) {
                if (means.positions().claim(self, HOLD_TIME).isPresent()) {
                    listen();
                }
                var _ = isStoppedWithin(RENEWAL_INTERVAL);
            }
        } finally {
            counts.clearLag();
            settling = Optional.empty();
            means.positions().release(self);
        }
    }

    private boolean isStoppedWithin(Duration time) throws InterruptedException {
        return stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private OutboxStore open(OutboxStore.Purpose purpose) throws ListenTrouble {
        try {
            Trigger trigger = self.trigger();
            return switch (Endpoint.of(
                    means.connections().settings(trigger.key().workspace(), settings.connection()))) {
                case Endpoint endpoint ->
                    OutboxStore.open(
                            endpoint,
                            BoundedConnection.open(
                                    means.hosts(), trigger.key().workspace().toString(), means.answers()),
                            purpose);
                case Unusable(String problem) ->
                    throw new ListenTrouble("The resource " + settings.connection()
                            + " is no connection to PostgreSQL: " + problem + ".");
            };
        } catch (MillraceException unavailable) {
            throw new ListenTrouble(String.valueOf(unavailable.getMessage()));
        }
    }

    /** Listens until it is stopped, or another scheduler does. */
    private void listen() throws ListenTrouble, InterruptedException {
        Optional<PostgresSettings.Table> table = settings.table();
        if (table.isEmpty()) {
            try (OutboxStore channel = listening()) {
                hear(channel);
            }
        } else if (settings.channel().isEmpty()) {
            try (OutboxStore outbox = open(OutboxStore.Purpose.ROWS)) {
                read(outbox, Optional.empty(), table.get());
            }
        } else {
            try (OutboxStore outbox = open(OutboxStore.Purpose.ROWS);
                    OutboxStore channel = listening()) {
                read(outbox, Optional.of(channel), table.get());
            }
        }
    }

    private OutboxStore listening() throws ListenTrouble {
        OutboxStore channel = open(OutboxStore.Purpose.NOTIFICATIONS);
        try {
            channel.listen(settings.channel().orElseThrow());
            return channel;
        } catch (ListenTrouble trouble) {
            channel.close();
            throw trouble;
        }
    }

    /** Starts a run for each notification. */
    private void hear(OutboxStore outbox) throws ListenTrouble, InterruptedException {
        if (!accept(means.positions().hear(self, this::gap))) {
            return;
        }
        long renewedAt = System.nanoTime();
        while (stopped.getCount() > 0) {
            List<String> arrived = outbox.notifications(NOTIFICATION_WAIT);
            boolean isDue = System.nanoTime() - renewedAt >= RENEWAL_INTERVAL.toNanos();
            if (isDue) {
                if (arrived.isEmpty()) {
                    outbox.ping();
                }
                if (means.positions().claim(self, HOLD_TIME).isEmpty()) {
                    return;
                }
                renewedAt = System.nanoTime();
            }
            if (isDue || !arrived.isEmpty()) {
                try (ListenTurns.Turn _ = means.starts().turns().take()) {
                    if (!accept(means.positions().hear(self, _ -> occurrences.ofNotifications(arrived)))) {
                        return;
                    }
                }
                counts.countNotifications(arrived.size());
            }
            outbox.endTurn();
        }
    }

    /** What is noted before the scheduler hears anything: that nobody listened for a while. A pause is no such time. */
    private List<NewStart> gap(PostgresPositionStore.Heard heard) {
        Instant resumed = self.trigger().changedAt();
        return heard.before()
                .map(before -> before.isBefore(resumed) ? resumed : before)
                .map(before -> List.of(occurrences.ofGap(before, heard.now())))
                .orElse(List.of());
    }

    /** Starts runs for rows. Notifications only say that there may be some. */
    private void read(OutboxStore outbox, Optional<OutboxStore> channel, PostgresSettings.Table table)
            throws ListenTrouble, InterruptedException {
        outbox.require(table);
        Optional<Long> begun = begin(outbox, table);
        if (begun.isEmpty()) {
            return;
        }
        long position = begun.get();
        long renewedAt = System.nanoTime();
        long dueAt = System.nanoTime();
        long countedAt = System.nanoTime() - LAG_INTERVAL.toNanos();
        while (stopped.getCount() > 0) {
            if (System.nanoTime() - renewedAt >= RENEWAL_INTERVAL.toNanos()) {
                if (means.positions().claim(self, HOLD_TIME).isEmpty()) {
                    return;
                }
                if (channel.isPresent()) {
                    channel.get().ping();
                }
                renewedAt = System.nanoTime();
            }
            if (System.nanoTime() - countedAt >= LAG_INTERVAL.toNanos()) {
                counts.lag(outbox.countAfter(table, position, LAG_MAX));
                countedAt = System.nanoTime();
            }
            if (isNotified(channel, dueAt) || System.nanoTime() - dueAt >= 0) {
                Optional<Look> look = look(outbox, table, position);
                if (look.isEmpty()) {
                    return;
                }
                // Nothing is held of what it has read.
                outbox.endTurn();
                position = look.get().position();
                dueAt = System.nanoTime() + look.get().next().toNanos();
            }
        }
    }

    /** The number behind which to read; empty if this scheduler does not listen any more. */
    private Optional<Long> begin(OutboxStore outbox, PostgresSettings.Table table) throws ListenTrouble {
        Optional<PostgresPositionStore.Position> position = means.positions().claim(self, HOLD_TIME);
        if (position.isEmpty()) {
            return Optional.empty();
        }
        OptionalLong noted = position.get().last();
        if (noted.isPresent()) {
            return Optional.of(noted.getAsLong());
        }
        long first = settings.startsLatest() ? outbox.last(table).orElse(Long.MIN_VALUE) : Long.MIN_VALUE;
        return means.positions().note(self, first, _ -> List.of()).map(_ -> first);
    }

    /** Waits until the table is to be read. Returns true if a notification says that there may be rows. */
    private boolean isNotified(Optional<OutboxStore> channel, long dueAt) throws ListenTrouble, InterruptedException {
        long patience = Math.clamp(dueAt - System.nanoTime(), 0, NOTIFICATION_WAIT.toNanos());
        if (channel.isPresent()) {
            boolean isNotified =
                    !channel.get().notifications(Duration.ofNanos(patience)).isEmpty();
            channel.get().endTurn();
            return isNotified;
        }
        var _ = isStoppedWithin(Duration.ofNanos(patience));
        return false;
    }

    /**
     * What a look at the table has given.
     *
     * @param next time until the next look
     */
    private record Look(long position, Duration next) {}

    /** Accepts rows behind a position. Empty if this scheduler does not listen any more. */
    private Optional<Look> look(OutboxStore outbox, PostgresSettings.Table table, long position)
            throws ListenTrouble, InterruptedException {
        if (means.starts().isBehind(self.trigger().id())) {
            return Optional.of(new Look(position, BUSY_WAIT));
        }
        settling = settling.isPresent()
                ? Optional.of(settling.get().after(outbox.writers(table)))
                : outbox.settling(table);
        if (settling.isEmpty() || settling.get().last() <= position) {
            settling = Optional.empty();
            return Optional.of(new Look(position, settings.interval()));
        }
        if (!settling.get().isSettled()) {
            return Optional.of(new Look(position, waitForWriters(table)));
        }
        settlingWait = SETTLING_WAIT_MIN;
        OutboxStore.Range range =
                new OutboxStore.Range(position, settling.get().last(), rowsMax, ROWS_CHARS_MAX, means.rowCharsMax());
        List<OutboxRow> rows = outbox.rows(table, range);
        if (rows.isEmpty()) {
            settling = Optional.empty();
            return Optional.of(new Look(position, SETTLING_WAIT_MIN));
        }
        long last = rows.getLast().id();
        boolean hasMore = last < range.upTo();
        settling = settling.filter(_ -> hasMore);
        // Large rows are read in smaller numbers, since the database writes all of them as JSON.
        rowsMax = rows.size() < rowsMax && hasMore ? rows.size() : Math.min(ROWS_MAX, rowsMax * 2);
        // Notifications that came while the rows settled told of later rows, so there is always a further look.
        return accept(rows, last) ? Optional.of(new Look(last, Duration.ZERO)) : Optional.empty();
    }

    /** Time until the next look for transactions that may add rows before those that are there. */
    private Duration waitForWriters(PostgresSettings.Table table) throws ListenTrouble {
        if (settlingWait.equals(SETTLING_WAIT_MIN)) {
            settlingSince = System.nanoTime();
        }
        if (System.nanoTime() - settlingSince >= SETTLING_PATIENCE.toNanos()) {
            settlingWait = SETTLING_WAIT_MIN;
            throw new ListenTrouble(
                    "Rows of the table " + table.name() + " wait, because transactions that write to it have"
                            + " not ended for a minute and may add rows before those: end them, or commit more often.");
        }
        Duration wait = settlingWait;
        settlingWait = wait.multipliedBy(2).compareTo(SETTLING_WAIT_MAX) < 0 ? wait.multipliedBy(2) : SETTLING_WAIT_MAX;
        return wait;
    }

    private boolean accept(List<OutboxRow> rows, long last) throws InterruptedException {
        List<OutboxRow> fresh = new ArrayList<>();
        boolean goesOn;
        try (ListenTurns.Turn _ = means.starts().turns().take()) {
            goesOn = accept(means.positions().note(self, last, before -> {
                rows.stream()
                        .filter(row -> before.isEmpty() || row.id() > before.getAsLong())
                        .forEach(fresh::add);
                return occurrences.ofRows(fresh);
            }));
        }
        counts.countRows(fresh.size(), (int)
                fresh.stream().filter(row -> row.json().isEmpty()).count());
        return goesOn;
    }

    /** Submits runs. Returns false if this scheduler does not listen any more. */
    private boolean accept(Optional<NotedStarts> noted) {
        noted.ifPresent(starts -> {
            var _ = means.starts().finish(starts);
        });
        return noted.isPresent();
    }
}
