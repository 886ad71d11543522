package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.kafka.core.Message;
import java.util.List;
import java.util.UUID;

/** Accepts the messages of topics. Called by the thread of one consumer. */
public interface Intake {
    /** What has become of messages. */
    enum Outcome {
        /** All are durable, and nothing is left to do for them. */
        ACCEPTED,
        /** All are durable, and any scheduler does what is left. */
        PENDING,
        /** Nothing was noted, because nobody wants messages any more. */
        GONE
    }

    /**
     * Accepts messages that follow one another in a partition, and moves the position behind them. Those before the position
     * change nothing.
     *
     * @param topic id of the topic
     */
    Outcome accept(UUID topic, List<Message> messages) throws InterruptedException;

    /**
     * Notes that messages cannot be read, and moves the position behind them. Returns false if nothing was noted, because
     * nobody wants messages any more.
     *
     * @param topic id of the topic
     */
    boolean skip(UUID topic, SkippedBatch batch);

    /** Whether so much is left to do for accepted messages that nothing further is to be read. */
    boolean isBehind();
}
