package dev.millrace.kafka;

import java.security.Provider;
import java.security.Security;
import java.util.Map;
import javax.security.auth.callback.CallbackHandler;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslClientFactory;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramMessages.ServerFirstMessage;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient.ScramSaslClientFactory;

/**
 * SCRAM for clients, with a limit on the iterations of the hash that a broker asks for. Kafka's client computes as many as
 * it is told, up to two billions: an hour in which its thread does nothing else. It finds this provider of the Java platform before its own.
 */
public final class BoundedScram extends Provider {
    private static final long serialVersionUID = 1;

    private static final BoundedScram INSTANCE = new BoundedScram();

    private BoundedScram() {
        super("MillraceScram", "1", "SCRAM for clients with a limit of iterations");
        ScramMechanism.mechanismNames().forEach(name -> put("SaslClientFactory." + name, Factory.class.getName()));
    }

    /** Lets the clients of this JVM use it. */
    static void install() {
        var _ = Security.insertProviderAt(INSTANCE, 1);
    }

    /** Makes clients. The Java platform makes the factory by its name. */
    public static final class Factory implements SaslClientFactory {
        private final SaslClientFactory kafka = new ScramSaslClientFactory();

        @Override
        public SaslClient createSaslClient(
                String[] mechanisms,
                String authorization,
                String protocol,
                String server,
                Map<String, ?> settings,
                CallbackHandler handler)
                throws SaslException {
            for (String mechanism : mechanisms) {
                SaslClient client = kafka.createSaslClient(
                        new String[] {mechanism}, authorization, protocol, server, settings, handler);
                if (client != null) {
                    return new Client(
                            client, ScramMechanism.forMechanismName(mechanism).maxIterations());
                }
            }
            return null;
        }

        @Override
        public String[] getMechanismNames(Map<String, ?> settings) {
            return kafka.getMechanismNames(settings);
        }
    }

    /** @param iterationsMax what Kafka's brokers keep of a password at most */
    private record Client(SaslClient kafka, int iterationsMax) implements SaslClient {
        @Override
        public byte[] evaluateChallenge(byte[] challenge) throws SaslException {
            int iterations = iterations(challenge);
            if (iterations > iterationsMax) {
                throw new SaslException("the broker asks for " + iterations + " iterations of SCRAM (expected: at most "
                        + iterationsMax + ")");
            }
            return kafka.evaluateChallenge(challenge);
        }

        /** Number of iterations that a message asks for; 0 for one that asks for none. */
        private static int iterations(byte[] challenge) {
            try {
                return new ServerFirstMessage(challenge).iterations();
            } catch (SaslException | NumberFormatException other) {
                return 0;
            }
        }

        @Override
        public String getMechanismName() {
            return kafka.getMechanismName();
        }

        @Override
        public boolean hasInitialResponse() {
            return kafka.hasInitialResponse();
        }

        @Override
        public boolean isComplete() {
            return kafka.isComplete();
        }

        @Override
        public byte[] unwrap(byte[] incoming, int offset, int length) throws SaslException {
            return kafka.unwrap(incoming, offset, length);
        }

        @Override
        public byte[] wrap(byte[] outgoing, int offset, int length) throws SaslException {
            return kafka.wrap(outgoing, offset, length);
        }

        @Override
        public Object getNegotiatedProperty(String name) {
            return kafka.getNegotiatedProperty(name);
        }

        @Override
        public void dispose() throws SaslException {
            kafka.dispose();
        }
    }
}
