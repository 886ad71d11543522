package dev.millrace.scheduler.kafka;

import static java.util.Objects.requireNonNull;

/**
 * A batch of messages that is too long to be read.
 *
 * @param begin offset of its first message that is yet to be read
 * @param end offset behind its last message
 * @param bytes size of the response that the broker wanted to send, or of what a compressed batch expands to
 */
public record SkippedBatch(String topic, int partition, long begin, long end, int bytes) {
    public SkippedBatch {
        requireNonNull(topic, "topic");
    }

    /**
     * Why its messages from an offset on start nothing, as a sentence.
     *
     * @param readers who cannot read them, in the plural
     */
    public String reason(long first, String readers) {
        return "The messages at offsets " + first + " to " + (end - 1) + " of partition " + partition + " of the topic "
                + topic + " were skipped: their producer sent them in a batch of " + bytes
                + " bytes, expanded if it is compressed, and " + readers + " read batches of at most "
                + TopicConsumer.RESPONSE_BYTES_MAX + " bytes. Let the producer send smaller ones.";
    }
}
