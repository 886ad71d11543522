package dev.millrace.scheduler.database;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/** One of the servers that a JDBC URL names. Its text form is host and port. */
public record ServerAddress(String host, int port) {
    private static final String ANY = "any";

    /**
     * Returns the servers of a URL, in its order.
     *
     * @throws MillraceException with {@code INVALID_CONFIG} if the driver cannot read the URL, or does not know one of its
     *     parameters
     */
    public static List<ServerAddress> of(String jdbcUrl) {
        Properties properties = Driver.parseURL(jdbcUrl, null);
        if (properties == null) {
            throw unusable("the JDBC driver cannot read it");
        }
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            if (PGProperty.forName(name) == null) {
                throw unusable("it has the parameter \"" + name
                        + "\", which neither libpq nor the JDBC driver knows. Correct or remove it");
            }
        }
        String[] hosts = properties.getProperty(PGProperty.PG_HOST.getName()).split(",", -1);
        String[] ports = properties.getProperty(PGProperty.PG_PORT.getName()).split(",", -1);
        List<ServerAddress> servers = new ArrayList<>();
        for (int i = 0; i < hosts.length; i++) {
            servers.add(new ServerAddress(hosts[i], Integer.parseInt(ports[i])));
        }
        return servers;
    }

    /** Makes a data source connect to this server only, of those that its URL names. */
    public void applyTo(PGSimpleDataSource source) {
        source.setServerNames(new String[] {host});
        source.setPortNumbers(new int[] {port});
        source.setTargetServerType(ANY);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }

    private static MillraceException unusable(String why) {
        return new MillraceException(ErrorCode.INVALID_CONFIG, "millrace.database.url is not usable: " + why + ".");
    }
}
