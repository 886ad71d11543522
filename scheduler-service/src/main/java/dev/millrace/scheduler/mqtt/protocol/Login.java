package dev.millrace.scheduler.mqtt.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What a client says of its session.
 *
 * @param sessionExpiry how long a broker of MQTT 5 keeps the session without a connection
 * @param receiveMax number of messages of QoS 1 and 2 that a broker of MQTT 5 sends before it waits for answers
 * @param keepAlive longest time without a packet of the client
 */
public record Login(String clientId, Duration sessionExpiry, int receiveMax, Duration keepAlive) {
    public Login {
        requireNonNull(clientId, "clientId");
        requireNonNull(sessionExpiry, "sessionExpiry");
        requireNonNull(keepAlive, "keepAlive");
    }
}
