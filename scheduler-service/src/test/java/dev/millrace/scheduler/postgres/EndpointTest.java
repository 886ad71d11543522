package dev.millrace.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTest {
    private static final String PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";

    @Test
    void readsResourcesForSqlScripts() {
        assertThat(Endpoint.of(Map.of(
                        "host", "db.example.com",
                        "port", "6432",
                        "dbname", "shop",
                        "user", "reader",
                        "password", "p@ss",
                        "sslmode", "verify-full",
                        "root_certificate_pem", PEM)))
                .isEqualTo(new Endpoint(
                        "db.example.com", 6432, "shop", "reader", "p@ss", "verify-full", Optional.of(PEM + "\n")));
        assertThat(Endpoint.of(Map.of("host", "::1", "user", "reader", "ssl", "true")))
                .isEqualTo(new Endpoint("::1", 5432, "reader", "reader", "", "require", Optional.empty()));
    }

    @Test
    void readsUrlsBesideOtherMembers() {
        assertThat(Endpoint.of(Map.of(
                        "url", "postgresql://reader:p%40s+s@[2001:db8::1]:6432/shop?sslmode=require",
                        "password", "other")))
                .isEqualTo(new Endpoint("2001:db8::1", 6432, "shop", "reader", "other", "require", Optional.empty()));
        assertThat(Endpoint.of(Map.of("url", "postgres://reader:p%40s+s@db/shop")))
                .isEqualTo(new Endpoint("db", 5432, "shop", "reader", "p@s+s", "prefer", Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            host                 |                                    | it has no host
            host                 | db/other?sslfactory=x              | no name and no address
            port                 | 70000                              | its port is 70000
            sslmode              | maybe                              | its sslmode is maybe
            root_certificate_pem | file:/etc/passwd                   | is no certificate
            sslfactory           | org.example.Evil                   | it has sslfactory
            url                  | jdbc:postgresql://db/shop          | its url is none
            url                  | postgresql://u:secret@db:x/shop    | its url is none
            url                  | postgresql://db/shop?sslfactory=x  | its url is none
            """)
    void saysWhyOthersCannotBeUsedWithoutTheirPasswords(String member, String value, String problem) {
        Map<String, String> resource = new HashMap<>(Map.of("host", "db"));
        resource.put(member, value == null ? "" : value);

        assertThat(Endpoint.of(resource))
                .isInstanceOfSatisfying(
                        Unusable.class,
                        unusable ->
                                assertThat(unusable.problem()).contains(problem).doesNotContain("secret"));
    }
}
