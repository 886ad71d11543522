package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of this scheduler, one for each active trigger of a kind. Every scheduler has one for every trigger; the kind
 * divides the work among them. A loop compares the listeners with the triggers in the database: it starts what lacks, and
 * stops what was changed, paused or deleted.
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

    private final Triggers triggers;
    private final TriggerStarts starts;
    private final int listenersMax;
    private final Function<Trigger, TriggerListener> listeners;
    private final Loop loop;
    private final Map<TriggerId, Running> running = new ConcurrentHashMap<>();

    private record Running(Trigger trigger, TriggerListener listener, CountDownLatch stopped, Thread thread) {
        void stop() {
            stopped.countDown();
            listener.stop();
        }
    }

    /**
     * @param triggers those of the kind
     * @param listenersMax most triggers for which to listen
     * @param listeners makes a listener, without connecting
     */
    public TriggerListeners(
            String name,
            Triggers triggers,
            TriggerStarts starts,
            int listenersMax,
            Function<Trigger, TriggerListener> listeners) {
        this.triggers = triggers;
        this.starts = starts;
        this.listenersMax = listenersMax;
        this.listeners = listeners;
        this.loop = Loop.of(name, this::look);
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
        Map<TriggerId, Trigger> wanted =
                triggers.active(listenersMax).stream().collect(Collectors.toMap(Trigger::id, Function.identity()));
        running.forEach((id, one) -> {
            Trigger now = wanted.get(id);
            if (now == null || now.version() != one.trigger().version()) {
                one.stop();
            }
            if (!one.thread().isAlive()) {
                running.remove(id, one);
            }
        });
        wanted.values().stream()
                .filter(trigger -> !running.containsKey(trigger.id()))
                .forEach(this::begin);
        return LOOK_INTERVAL;
    }

    private void begin(Trigger trigger) {
        TriggerListener listener = listeners.apply(trigger);
        CountDownLatch stopped = new CountDownLatch(1);
        Thread thread = Thread.ofVirtual()
                .name(trigger.key().kind().text() + "-trigger " + trigger.key().path())
                .unstarted(() -> listen(trigger, listener, stopped));
        running.put(trigger.id(), new Running(trigger, listener, stopped, thread));
        thread.start();
    }

    private void listen(Trigger trigger, TriggerListener listener, CountDownLatch stopped) {
        Optional<String> before = Optional.empty();
        long notedAt = 0;
        try {
            while (stopped.getCount() > 0) {
                try {
                    listener.run();
                    return;
                } catch (ListenTrouble trouble) {
                    String sentence = String.valueOf(trouble.getMessage());
                    boolean isOld = System.nanoTime() - notedAt > REPEAT_INTERVAL.toNanos();
                    if (isOld || !before.equals(Optional.of(sentence))) {
                        before = Optional.of(sentence);
                        notedAt = System.nanoTime();
                        note(trigger, sentence);
                    }
                } catch (RuntimeException failure) {
                    log.atWarn()
                            .addKeyValue("trigger", trigger.key().path())
                            .addKeyValue("retryAfter", RETRY_INTERVAL)
                            .setCause(failure)
                            .log("The listener of a trigger failed and begins again");
                }
                var _ = stopped.await(RETRY_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            // The next look of the loop starts the listener of a changed trigger once this one is gone.
            running.computeIfPresent(trigger.id(), (_, one) -> one.listener().equals(listener) ? null : one);
            if (stopped.getCount() == 0) {
                loop.wake();
            }
        }
    }

    /** Notes in the history why the trigger starts nothing. */
    private void note(Trigger trigger, String sentence) {
        RunId id = triggers.nextRun();
        try {
            var _ = starts.start(List.of(
                    NewStart.none(trigger, id, "connection " + id, WallClock.now(), StartState.REFUSED, sentence)));
        } catch (RuntimeException unavailable) {
            log.atWarn()
                    .addKeyValue("trigger", trigger.key().path())
                    .addKeyValue("reason", sentence)
                    .setCause(unavailable)
                    .log("A trigger cannot listen, and its history could not be written");
        }
    }

    @Override
    public void close() {
        loop.close();
        List<Running> left = List.copyOf(running.values());
        left.forEach(Running::stop);
        for (Running one : left) {
            try {
                if (!one.thread().join(STOP_PATIENCE)) {
                    one.thread().interrupt();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
