package dev.millrace.scheduler.mqtt.protocol;

/** Why brokers refuse something, as clauses. */
public final class ReasonCode {
    private static final int FAILURE = 0x80;

    private ReasonCode() {}

    /** Whether a code says that something was refused. */
    public static boolean isRefusal(int code) {
        return code >= FAILURE;
    }

    /** Why a connection was refused. Brokers of MQTT 3.1.1 have numbers of their own, also for clients of other versions. */
    static String connection(Version version, int code, String reason) {
        return switch (code) {
            case 1 ->
                "the broker does not speak MQTT " + version + ": set the version of the resource to "
                        + (version == Version.V5 ? "3.1.1" : "5");
            case 2 -> "the broker does not accept the client id";
            case 3 -> "the broker is not available";
            case 4 -> "the broker does not accept user and password";
            case 5 -> "the broker does not allow the connection";
            default -> text(code, reason);
        };
    }

    /**
     * Why something was refused, by MQTT 5.
     *
     * @param reason what the broker says beside the code; often empty
     */
    public static String text(int code, String reason) {
        String text = switch (code) {
            case 0x00 -> "the broker ended the connection";
            case 0x80 -> "the broker refused it without a reason";
            case 0x81 -> "the broker found a packet malformed";
            case 0x82 -> "the broker found a breach of the protocol";
            case 0x84 -> "the broker does not speak this version of MQTT: set the version of the resource to 3.1.1";
            case 0x85 -> "the broker does not accept the client id";
            case 0x86 -> "the broker does not accept user and password";
            case 0x87 -> "the broker does not allow it";
            case 0x88 -> "the broker is not available";
            case 0x89 -> "the broker is busy";
            case 0x8a -> "the broker has banned the client";
            case 0x8b -> "the broker shuts down";
            case 0x8d -> "the broker has heard nothing for too long";
            case 0x8e -> "another client has connected with the same client id: give each client an id of its own";
            case 0x8f -> "the broker does not accept a topic filter";
            case 0x93 -> "the broker has sent more messages than it may";
            case 0x95 -> "a packet is too large for the broker";
            case 0x97 -> "a quota of the broker is used up";
            case 0x98 -> "an operator has ended the connection";
            case 0x9c, 0x9d -> "the broker wants clients to use another server";
            case 0x9e -> "the broker knows no shared subscriptions";
            case 0x9f -> "the broker wants fewer connections in that time";
            case 0xa1 -> "the broker knows no subscription identifiers";
            case 0xa2 -> "the broker knows no wildcards";
            default -> "the broker gave the code " + code;
        };
        return reason.isEmpty() ? text : text + " (" + reason + ")";
    }
}
