package dev.millrace.scheduler.kafka.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientSettingsTest {
    private static final Map<String, String> PLAIN = Map.of("bootstrap.servers", "a:1, b:2");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sasl.jaas.config            | x                 | it has sasl.jaas.config
                    ssl.keystore.location       | /etc/passwd       | it has ssl.keystore.location
                    interceptor.classes         | evil.Class        | it has interceptor.classes
                    security.protocol           | TLS               | security.protocol is TLS
                    security.protocol           | SASL_SSL          | sasl.mechanism is missing
                    ssl.keystore.key            | pem               | only one of
                    bootstrap.servers           | ' '               | no bootstrap.servers
                    """)
    void saysWhatCannotBeUsed(String name, String value, String problem) {
        Map<String, String> given = new HashMap<>(PLAIN);
        given.put(name, value);

        assertThat(ClientSettings.problem(given))
                .hasValueSatisfying(found -> assertThat(found).contains(problem));
    }

    @Test
    void quotesPasswords() {
        Map<String, String> given = new HashMap<>(PLAIN);
        given.putAll(Map.of(
                "security.protocol", "SASL_PLAINTEXT",
                "sasl.mechanism", "PLAIN",
                "sasl.username", "ada",
                "sasl.password", "a\" serviceName=\"x\\"));

        assertThat(ClientSettings.problem(given)).isEmpty();
        assertThat(ClientSettings.of(given).get("sasl.jaas.config"))
                .isEqualTo("org.apache.kafka.common.security.plain.PlainLoginModule required username=\"ada\""
                        + " password=\"a\\\" serviceName=\\\"x\\\\\";");
        assertThat(ClientSettings.hosts(given)).containsExactly("a", "b");
    }
}
