package dev.millrace.scheduler.mqtt.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What has arrived and waits for its batch, in order. Times are in nanoseconds of one clock. Not thread-safe. */
public final class Waiting {
    private final int most;
    private final long wait;
    private final long bytesMax;
    private List<Arrival> arrivals = new ArrayList<>();
    private int messages;
    private long bytes;
    private long since;

    /**
     * @param most messages from which on none waits
     * @param wait longest time that a message waits
     * @param bytesMax bytes of messages from which on none waits
     */
    public Waiting(int most, Duration wait, long bytesMax) {
        this.most = most;
        this.wait = wait.toNanos();
        this.bytesMax = bytesMax;
    }

    public void add(Arrival arrival, long now) {
        arrivals.add(arrival);
        if (arrival instanceof Arrival.Sent) {
            if (messages == 0) {
                since = now;
            }
            messages++;
        }
        bytes += arrival.size();
    }

    /** Whether nothing should be added before what waits is taken. */
    public boolean isFull() {
        return messages >= most || arrivals.size() >= 2 * most || bytes >= bytesMax;
    }

    /** Whether what waits is to be taken. Releases alone wait for nothing. */
    public boolean isDue(long now) {
        return !arrivals.isEmpty() && (isFull() || messages == 0 || now - since >= wait);
    }

    /** Time until a message has waited long enough; empty if none waits. */
    public OptionalLong untilDue(long now) {
        return messages == 0 ? OptionalLong.empty() : OptionalLong.of(Math.max(0, wait - (now - since)));
    }

    /** Takes all that waits. */
    public List<Arrival> take() {
        List<Arrival> taken = arrivals;
        arrivals = new ArrayList<>();
        messages = 0;
        bytes = 0;
        return taken;
    }
}
