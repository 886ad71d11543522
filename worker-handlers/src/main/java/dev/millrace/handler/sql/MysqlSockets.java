package dev.millrace.handler.sql;

import dev.millrace.tls.AddressRule;
import dev.millrace.tls.AnswerLimit;
import dev.millrace.tls.CheckedSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.util.ConfigurableSocketFactory;

/**
 * Sockets of connections to MySQL: they check addresses, and bound what the driver reads at once, for which it has no option. The
 * driver makes the factory by its name, and one more to stop a statement.
 */
public final class MysqlSockets extends ConfigurableSocketFactory {
    /** Property of a connection that must go to a public address. */
    static final String PUBLIC_ONLY = "millracePublicOnly";

    /** Limit of the connection that this thread opens. */
    static final ScopedValue<AnswerLimit> LIMIT = ScopedValue.newInstance();

    private static final String CONNECTS_ITSELF = "the driver connects sockets itself";

    private final AnswerLimit limit = LIMIT.isBound() ? LIMIT.get() : new AnswerLimit(SqlConnections.FETCH_BYTES_MAX);
    private AddressRule rule = SqlServerOptions.PUBLIC_ONLY.addressRule();

    @Override
    public void setConfiguration(Configuration configuration, String host) {
        boolean isPublicOnly =
                Boolean.parseBoolean(configuration.nonMappedOptions().getProperty(PUBLIC_ONLY, "true"));
        rule = new SqlServerOptions(!isPublicOnly).addressRule();
    }

    @Override
    public Socket createSocket() {
        return new CheckedSocket(rule) {
            @Override
            public InputStream getInputStream() throws IOException {
                return limit.counted(super.getInputStream());
            }
        };
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException(CONNECTS_ITSELF);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException(CONNECTS_ITSELF);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException(CONNECTS_ITSELF);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException(CONNECTS_ITSELF);
    }
}
