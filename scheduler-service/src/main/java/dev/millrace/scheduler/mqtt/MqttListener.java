package dev.millrace.scheduler.mqtt;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.mqtt.protocol.Broker;
import dev.millrace.scheduler.mqtt.protocol.Client;
import dev.millrace.scheduler.mqtt.protocol.Login;
import dev.millrace.scheduler.trigger.ListenTrouble;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerListener;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.tls.AddressRule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for one trigger. Of all schedulers, the one that holds the trigger's session connects, so that no two of them
 * take the client id from each other; the others wait until it has not prolonged its hold.
 *
 * <p>Runs on a thread of its own; only {@link #stop} is called by others.
 */
final class MqttListener implements TriggerListener {
    private static final Logger log = LoggerFactory.getLogger(MqttListener.class);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

    private final MqttSessionStore.Holder self;
    private final String clientId;
    private final MqttSettings settings;
    private final Means means;
    private final Occurrences occurrences;
    private final MqttCounts.OfTrigger counts;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * What listeners share.
     *
     * @param messageBytesMax largest message that is read, in bytes
     */
    record Means(
            AddressRule hosts,
            TriggerConnections connections,
            MqttSessionStore sessions,
            TriggerStarts starts,
            int messageBytesMax) {}

    MqttListener(
            MqttSessionStore.Holder self,
            String clientId,
            MqttSettings settings,
            Means means,
            Occurrences occurrences,
            MqttCounts.OfTrigger counts) {
        this.self = self;
        this.clientId = clientId;
        this.settings = settings;
        this.means = means;
        this.occurrences = occurrences;
        this.counts = counts;
    }

    @Override
    public void stop() {
        stopped.countDown();
    }

    @Override
    public void run() throws ListenTrouble, InterruptedException {
        try {
            do {
                if (means.sessions().claim(self, Subscriber.HOLD_TIME)) {
                    listen();
                }
            } while (!stopped.await(Subscriber.RENEWAL_INTERVAL.toNanos(), TimeUnit.NANOSECONDS));
        } finally {
            means.sessions().release(self);
        }
    }

    private void listen() throws ListenTrouble, InterruptedException {
        Broker broker = broker();
        InetAddress[] addresses = addresses(broker);
        Login login = new Login(clientId, settings.sessionExpiry(), Subscriber.receiveMax(settings), KEEP_ALIVE);
        boolean isConnected = false;
        try (Client client = Client.open(broker, addresses, login, means.messageBytesMax())) {
            isConnected = true;
            new Subscriber(client, self, settings, means.sessions(), means.starts(), occurrences, counts, stopped)
                    .run();
            leave(client, broker, addresses, login);
        } catch (IOException failure) {
            throw new ListenTrouble(
                    (isConnected ? "The connection to the broker " : "No connection was made to the broker ") + broker
                            + (isConnected ? " was lost: " : ": ") + clause(failure) + ".");
        } finally {
            counts.connected(false);
        }
    }

    private static String clause(IOException failure) {
        return failure.getMessage() == null
                ? failure.getClass().getSimpleName()
                : failure.getMessage().replaceFirst("\\.$", "");
    }

    /** Says goodbye. The broker keeps the session for the next scheduler, unless the trigger was deleted. */
    private void leave(Client client, Broker broker, InetAddress[] addresses, Login login) throws InterruptedException {
        boolean forgets = !means.sessions().hasTrigger(self);
        try {
            client.disconnect(forgets);
            client.close();
            if (forgets) {
                Client.forget(broker, addresses, login);
            }
        } catch (IOException brokerAway) {
            log.atDebug().setCause(brokerAway).log("A subscriber could not say goodbye");
        }
    }

    private Broker broker() throws ListenTrouble {
        try {
            return Broker.of(means.connections().settings(self.trigger().key().workspace(), settings.connection()));
        } catch (MillraceException unavailable) {
            throw new ListenTrouble(String.valueOf(unavailable.getMessage()));
        } catch (Broker.Unusable unusable) {
            throw new ListenTrouble("The resource " + settings.connection() + " is no connection to a broker of MQTT: "
                    + unusable.getMessage() + ".");
        }
    }

    private InetAddress[] addresses(Broker broker) throws ListenTrouble {
        try {
            return means.hosts().resolve(broker.host());
        } catch (UnknownHostException refused) {
            throw new ListenTrouble("The broker of the resource " + settings.connection() + " cannot be reached: "
                    + refused.getMessage() + ".");
        }
    }
}
