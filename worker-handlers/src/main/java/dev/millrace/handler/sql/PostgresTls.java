package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

import dev.millrace.tls.BoundedConnection;
import dev.millrace.tls.BoundedTls;
import dev.millrace.tls.PostgresMessages;
import java.security.GeneralSecurityException;
import java.util.Properties;
import javax.net.ssl.SSLSocketFactory;
import org.postgresql.PGProperty;
import org.postgresql.ssl.DefaultJavaSSLFactory;
import org.postgresql.ssl.LibPQFactory;
import org.postgresql.ssl.SingleCertValidatingFactory;
import org.postgresql.util.PSQLException;

/** TLS of connections to PostgreSQL. The driver makes the factory by its name. */
public final class PostgresTls extends BoundedTls {
    /**
     * Trusts as the properties of a connection say: any certificate, those of one authority, or those of the authorities that
     * Java trusts.
     *
     * @param properties of the connection; {@code sslfactoryarg} is the certificate of the authority
     */
    public PostgresTls(Properties properties) throws PSQLException, GeneralSecurityException {
        super(
                trusting(properties),
                BoundedConnection.named(requireNonNull(PGProperty.SOCKET_FACTORY_ARG.getOrDefault(properties))),
                PostgresSockets.ANSWER_BYTES_MAX,
                PostgresSockets.OTHER_BYTES_MAX,
                PostgresMessages.Use.STATEMENTS);
    }

    private static SSLSocketFactory trusting(Properties properties) throws PSQLException, GeneralSecurityException {
        if (!"verify-full".equals(PGProperty.SSL_MODE.getOrDefault(properties))) {
            return new LibPQFactory(properties);
        }
        String authority = PGProperty.SSL_FACTORY_ARG.getOrDefault(properties);
        return authority == null ? new DefaultJavaSSLFactory(properties) : new SingleCertValidatingFactory(authority);
    }
}
