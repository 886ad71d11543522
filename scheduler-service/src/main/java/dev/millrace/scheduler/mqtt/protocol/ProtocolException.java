package dev.millrace.scheduler.mqtt.protocol;

import java.io.IOException;

/** A broker has sent what the protocol does not allow. The message is a clause. */
final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1;

    ProtocolException(String clause) {
        super(clause);
    }
}
