package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of this scheduler, for example one for each active trigger of a kind. Every scheduler has one for every
 * trigger; the kind divides the work among them. A loop compares the listeners with what the database wants: it starts what
 * lacks, and stops what was changed, paused or deleted.
 */
public final class TriggerListeners implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TriggerListeners.class);

    /** How often to look for triggers that were changed at other schedulers. */
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(5);
    /** Time after which a listener that has failed is run again. */
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);
    /** Time after which the history gets the same sentence again. */
    private static final Duration REPEAT_INTERVAL = Duration.ofMinutes(10);

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private final Supplier<List<Wanted>> source;
    private final ListenTroubles troubles;
    private final Loop loop;
    private final Map<UUID, Running> running = new ConcurrentHashMap<>();

    private record Running(Wanted wanted, TriggerListener listener, CountDownLatch stopped, Thread thread) {
        void stop() {
            stopped.countDown();
            listener.stop();
        }
    }

    /**
     * Something to listen for.
     *
     * @param kind of what listens, for metrics
     * @param version raised by each change
     * @param name for threads and the log
     * @param listener makes a listener, without connecting
     * @param trouble notes where its author looks why nobody can listen, as a sentence
     */
    public record Wanted(
            UUID id,
            String kind,
            long version,
            String name,
            Supplier<TriggerListener> listener,
            Consumer<String> trouble) {
        public Wanted {
            requireNonNull(id, "id");
            requireNonNull(kind, "kind");
            requireNonNull(name, "name");
            requireNonNull(listener, "listener");
            requireNonNull(trouble, "trouble");
        }
    }

    /** @param source reads what to listen for */
    public TriggerListeners(String name, Supplier<List<Wanted>> source, ListenTroubles troubles) {
        this.source = source;
        this.troubles = troubles;
        this.loop = Loop.of(name, this::look);
    }

    /**
     * Listeners for triggers.
     *
     * @param triggers those of the kind
     * @param listenersMax most triggers for which to listen
     * @param listeners makes a listener, without connecting
     */
    public static TriggerListeners of(
            String name,
            Triggers triggers,
            TriggerStarts starts,
            int listenersMax,
            Function<Trigger, TriggerListener> listeners) {
        return new TriggerListeners(
                name,
                () -> triggers.active(listenersMax).stream()
                        .map(trigger -> new Wanted(
                                trigger.id().value(),
                                trigger.key().kind().text(),
                                trigger.version(),
                                trigger.key().kind().text() + "-trigger "
                                        + trigger.key().path(),
                                () -> listeners.apply(trigger),
                                sentence -> note(triggers, starts, trigger, sentence)))
                        .toList(),
                starts.troubles());
    }

    /** Starts to listen. */
    public TriggerListeners start() {
        loop.start();
        return this;
    }

    /** Heeds a change soon. */
    public void wake() {
        loop.wake();
    }

    private Duration look() {
        Map<UUID, Wanted> wanted =
                source.get().stream().collect(Collectors.toMap(Wanted::id, Function.identity(), (one, _) -> one));
        running.forEach((id, one) -> {
            Wanted now = wanted.get(id);
            if (now == null || now.version() != one.wanted().version()) {
                one.stop();
            }
            if (!one.thread().isAlive()) {
                running.remove(id, one);
            }
        });
        wanted.values().stream().filter(one -> !running.containsKey(one.id())).forEach(this::begin);
        return LOOK_INTERVAL;
    }

    private void begin(Wanted wanted) {
        TriggerListener listener;
        try {
            listener = wanted.listener().get();
        } catch (RuntimeException failure) {
            // The others begin all the same.
            troubles.failed(wanted.id(), wanted.kind());
            log.atWarn()
                    .addKeyValue("trigger", wanted.name())
                    .setCause(failure)
                    .log("The listener of a trigger could not be made");
            return;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        Thread thread = Thread.ofVirtual().name(wanted.name()).unstarted(() -> listen(wanted, listener, stopped));
        running.put(wanted.id(), new Running(wanted, listener, stopped, thread));
        thread.start();
    }

    private void listen(Wanted wanted, TriggerListener listener, CountDownLatch stopped) {
        Optional<String> before = Optional.empty();
        long notedAt = 0;
        try {
            while (stopped.getCount() > 0) {
                try {
                    listener.run();
                    return;
                } catch (ListenTrouble trouble) {
                    troubles.failed(wanted.id(), wanted.kind());
                    String sentence = String.valueOf(trouble.getMessage());
                    boolean isOld = System.nanoTime() - notedAt > REPEAT_INTERVAL.toNanos();
                    if (isOld || !before.equals(Optional.of(sentence))) {
                        before = Optional.of(sentence);
                        notedAt = System.nanoTime();
                        note(wanted, sentence);
                    }
                } catch (RuntimeException failure) {
                    troubles.failed(wanted.id(), wanted.kind());
                    log.atWarn()
                            .addKeyValue("trigger", wanted.name())
                            .addKeyValue("retryAfter", RETRY_INTERVAL)
                            .setCause(failure)
                            .log("The listener of a trigger failed and begins again");
                }
                var _ = stopped.await(RETRY_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            troubles.ended(wanted.id());
            // The next look of the loop starts the listener of a changed trigger once this one is gone.
            running.computeIfPresent(wanted.id(), (_, one) -> one.listener().equals(listener) ? null : one);
            if (stopped.getCount() == 0) {
                loop.wake();
            }
        }
    }

    private static void note(Wanted wanted, String sentence) {
        try {
            wanted.trouble().accept(sentence);
        } catch (RuntimeException unavailable) {
            log.atWarn()
                    .addKeyValue("trigger", wanted.name())
                    .addKeyValue("reason", sentence)
                    .setCause(unavailable)
                    .log("A trigger cannot listen, and its history could not be written");
        }
    }

    /** Notes in the history of a trigger why it starts nothing. */
    private static void note(Triggers triggers, TriggerStarts starts, Trigger trigger, String sentence) {
        RunId id = triggers.nextRun();
        var _ = starts.start(
                List.of(NewStart.none(trigger, id, "connection " + id, WallClock.now(), StartState.REFUSED, sentence)));
    }

    @Override
    public void close() {
        loop.close();
        List<Running> left = List.copyOf(running.values());
        left.forEach(Running::stop);
        // One end for all: hundreds that hang must not keep the scheduler from stopping.
        long end = System.nanoTime() + STOP_PATIENCE.toNanos();
        for (Running one : left) {
            try {
                if (!one.thread().join(Duration.ofNanos(end - System.nanoTime()))) {
                    one.thread().interrupt();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
