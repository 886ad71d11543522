package dev.millrace.scheduler.mqtt.protocol;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.mqtt.core.Arrival;
import java.util.List;

/** What a broker sends to a subscriber. */
public sealed interface Packet {
    /**
     * The answer to the first packet of a client.
     *
     * @param hasSession whether the broker knows the session of the client
     * @param code 0 if the client may go on
     * @param keepAliveSeconds what the broker wants in place of the time that the client has named; 0 for nothing
     * @param reason what the broker says beside the code; often empty
     */
    record Connected(boolean hasSession, int code, int keepAliveSeconds, String reason) implements Packet {
        public Connected {
            requireNonNull(reason, "reason");
        }
    }

    /**
     * The answer to a subscription, or to the end of one.
     *
     * @param codes a code for each filter; 128 and more mean that it was refused
     */
    record Subscribed(int id, List<Integer> codes, String reason) implements Packet {
        public Subscribed {
            codes = List.copyOf(codes);
            requireNonNull(reason, "reason");
        }
    }

    /** The end of subscriptions. */
    record Unsubscribed(int id) implements Packet {}

    /** Something about messages. */
    record Delivered(Arrival arrival) implements Packet {
        public Delivered {
            requireNonNull(arrival, "arrival");
        }
    }

    /** The broker is there. */
    record Pong() implements Packet {}

    /** The broker ends the connection; only in MQTT 5. */
    record Disconnected(int code, String reason) implements Packet {
        public Disconnected {
            requireNonNull(reason, "reason");
        }
    }
}
