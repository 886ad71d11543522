package dev.millrace.scheduler.mqtt.core;

import static java.util.Objects.requireNonNull;

import java.util.OptionalInt;

/** What a broker sends of messages, in its order. */
public sealed interface Arrival {
    /** Rough number of bytes that this takes in memory beyond what each arrival takes. */
    int size();

    /** What the header of a message says. */
    record Head(String topic, int qos, boolean isRetained, boolean isRepeated, OptionalInt id) {
        public Head {
            requireNonNull(topic, "topic");
            requireNonNull(id, "id");
        }
    }

    /** A message that was sent, or sent again. */
    sealed interface Sent extends Arrival {
        Head head();
    }

    /** A message. Nobody changes its bytes, so they are not copied. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Message(Head head, byte[] payload, MessageProperties properties) implements Sent {
        public Message {
            requireNonNull(head, "head");
            requireNonNull(payload, "payload");
            requireNonNull(properties, "properties");
        }

        @Override
        public int size() {
            return head.topic().length() + payload.length + properties.size();
        }
    }

    /**
     * A message that is too large to be read.
     *
     * @param bytes size of its packet
     */
    record TooLarge(Head head, int bytes) implements Sent {
        public TooLarge {
            requireNonNull(head, "head");
        }

        @Override
        public int size() {
            return head.topic().length();
        }
    }

    /**
     * A message whose topic or properties are not UTF-8. To replace its bytes would make it another message.
     *
     * @param head with U+FFFD in place of such bytes
     */
    record NotText(Head head) implements Sent {
        public NotText {
            requireNonNull(head, "head");
        }

        @Override
        public int size() {
            return head.topic().length();
        }
    }

    /** The end of the delivery of a message of QoS 2: its id is free for another message. */
    record Release(int id) implements Arrival {
        @Override
        public int size() {
            return 0;
        }
    }
}
