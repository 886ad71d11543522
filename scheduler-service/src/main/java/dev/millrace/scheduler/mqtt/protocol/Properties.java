package dev.millrace.scheduler.mqtt.protocol;

import dev.millrace.scheduler.mqtt.core.MessageProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Properties of a packet of MQTT 5, those that a subscriber needs.
 *
 * @param keepAliveSeconds 0 unless the broker names a time
 * @param reason empty unless the broker says one
 */
record Properties(MessageProperties message, int keepAliveSeconds, String reason) {
    static final Properties NONE = new Properties(MessageProperties.NONE, 0, "");

    private static final int CONTENT_TYPE = 0x03;
    private static final int RESPONSE_TOPIC = 0x08;
    private static final int CORRELATION = 0x09;
    private static final int KEEP_ALIVE = 0x13;
    private static final int REASON = 0x1f;
    private static final int USER = 0x26;

    /** Reads all properties. */
    static Properties read(Body body) throws ProtocolException {
        int end = body.varint();
        if (end > body.left()) {
            throw new ProtocolException("a packet is shorter than its properties");
        }
        int stop = body.left() - end;
        Optional<String> contentType = Optional.empty();
        Optional<String> responseTopic = Optional.empty();
        Optional<byte[]> correlation = Optional.empty();
        int keepAliveSeconds = 0;
        String reason = "";
        Map<String, String> user = new LinkedHashMap<>();
        while (body.left() > stop) {
            int id = body.varint();
            switch (id) {
                case CONTENT_TYPE -> contentType = Optional.of(body.text());
                case RESPONSE_TOPIC -> responseTopic = Optional.of(body.text());
                case CORRELATION -> correlation = Optional.of(body.binary());
                case KEEP_ALIVE -> keepAliveSeconds = body.twoBytes();
                case REASON -> reason = body.text();
                case USER -> user.put(body.text(), body.text());
                default -> skip(id, body);
            }
        }
        return new Properties(
                new MessageProperties(contentType, responseTopic, correlation, user), keepAliveSeconds, reason);
    }

    private static void skip(int id, Body body) throws ProtocolException {
        switch (id) {
            // payload format, request problem information, maximum QoS, and what is available
            case 0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2a -> body.skip(1);
            // receive maximum, topic alias maximum, topic alias
            case 0x21, 0x22, 0x23 -> body.skip(2);
            // expiry of the message and of the session, delay of the will, maximum packet size
            case 0x02, 0x11, 0x18, 0x27 -> body.skip(4);
            // subscription identifier
            case 0x0b -> {
                var _ = body.varint();
            }
            // assigned client id, authentication, response information, server reference
            case 0x12, 0x15, 0x16, 0x1a, 0x1c -> {
                var _ = body.binary();
            }
            default -> throw new ProtocolException("a packet has the unknown property " + id);
        }
    }
}
