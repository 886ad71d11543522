package dev.millrace.scheduler.mqtt.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.mqtt.core.Handover.Reply;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;

/** Makes the packets that a subscriber sends. */
final class Packets {
    private static final int CONNECT = 0x10;
    private static final int PUBACK = 0x40;
    private static final int PUBREC = 0x50;
    private static final int PUBCOMP = 0x70;
    private static final int SUBSCRIBE = 0x82;
    private static final int UNSUBSCRIBE = 0xa2;
    private static final int PINGREQ = 0xc0;
    private static final int DISCONNECT = 0xe0;

    private static final int SESSION_EXPIRY = 0x11;
    private static final int RECEIVE_MAXIMUM = 0x21;
    /** Send retained messages only for a new subscription. */
    private static final int RETAINED_IF_NEW = 0x10;

    private Packets() {}

    /** @param clean whether the broker is to forget the session */
    static byte[] connect(Broker broker, Login login, boolean clean) {
        Bytes body = new Bytes();
        body.text("MQTT");
        body.oneByte(broker.version().level());
        boolean hasUser = !broker.user().isEmpty();
        boolean hasPassword = !broker.password().isEmpty();
        body.oneByte((hasUser ? 0x80 : 0) | (hasPassword ? 0x40 : 0) | (clean ? 2 : 0));
        body.twoBytes((int) login.keepAlive().toSeconds());
        if (broker.version() == Version.V5) {
            Bytes properties = new Bytes();
            properties.oneByte(SESSION_EXPIRY);
            properties.fourBytes(clean ? 0 : seconds(login.sessionExpiry()));
            properties.oneByte(RECEIVE_MAXIMUM);
            properties.twoBytes(login.receiveMax());
            body.properties(properties);
        }
        body.text(login.clientId());
        if (hasUser) {
            body.text(broker.user());
        }
        if (hasPassword) {
            body.text(broker.password());
        }
        return body.packet(CONNECT);
    }

    static byte[] subscribe(Version version, int id, List<Subscription> subscriptions) {
        Bytes body = new Bytes();
        body.twoBytes(id);
        if (version == Version.V5) {
            body.properties(new Bytes());
        }
        subscriptions.forEach(subscription -> {
            body.text(subscription.filter());
            body.oneByte(subscription.qos() | (version == Version.V5 ? RETAINED_IF_NEW : 0));
        });
        return body.packet(SUBSCRIBE);
    }

    static byte[] unsubscribe(Version version, int id, List<Subscription> subscriptions) {
        Bytes body = new Bytes();
        body.twoBytes(id);
        if (version == Version.V5) {
            body.properties(new Bytes());
        }
        subscriptions.forEach(subscription -> body.text(subscription.filter()));
        return body.packet(UNSUBSCRIBE);
    }

    /** All replies, one behind the other. */
    static byte[] replies(List<Reply> replies) {
        Bytes all = new Bytes();
        replies.forEach(reply -> {
            all.oneByte(
                    switch (reply) {
                        case Reply.Acknowledge _ -> PUBACK;
                        case Reply.Received _ -> PUBREC;
                        case Reply.Complete _ -> PUBCOMP;
                    });
            all.oneByte(2);
            all.twoBytes(reply.id());
        });
        return all.bytes();
    }

    static byte[] ping() {
        return new Bytes().packet(PINGREQ);
    }

    /** @param forgets whether the broker is to forget the session, which only MQTT 5 can say here */
    static byte[] disconnect(Version version, boolean forgets) {
        Bytes body = new Bytes();
        if (version == Version.V5 && forgets) {
            body.oneByte(0);
            Bytes properties = new Bytes();
            properties.oneByte(SESSION_EXPIRY);
            properties.fourBytes(0);
            body.properties(properties);
        }
        return body.packet(DISCONNECT);
    }

    private static int seconds(Duration time) {
        return (int) Math.min(Integer.MAX_VALUE, time.toSeconds());
    }

    /** Bytes in the making. */
    private static final class Bytes {
        private final ByteArrayOutputStream all = new ByteArrayOutputStream();

        void oneByte(int value) {
            all.write(value);
        }

        void twoBytes(int value) {
            oneByte(value >> 8);
            oneByte(value);
        }

        void fourBytes(int value) {
            twoBytes(value >> 16);
            twoBytes(value);
        }

        void text(String text) {
            byte[] bytes = text.getBytes(UTF_8);
            twoBytes(bytes.length);
            all.writeBytes(bytes);
        }

        void properties(Bytes properties) {
            varint(properties.all.size());
            all.writeBytes(properties.bytes());
        }

        private void varint(int value) {
            int left = value;
            while (left >= 0x80) {
                oneByte((left & 0x7f) | 0x80);
                left >>>= 7;
            }
            oneByte(left);
        }

        byte[] bytes() {
            return all.toByteArray();
        }

        byte[] packet(int first) {
            Bytes packet = new Bytes();
            packet.oneByte(first);
            packet.varint(all.size());
            packet.all.writeBytes(bytes());
            return packet.bytes();
        }
    }
}
