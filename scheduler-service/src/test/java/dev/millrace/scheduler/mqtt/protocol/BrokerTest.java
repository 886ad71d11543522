package dev.millrace.scheduler.mqtt.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerTest {
    @Test
    void isWhereTheResourceSays() throws Broker.Unusable {
        Broker plain = Broker.of(Map.of("url", "mqtt://mqtt.example.com"));
        assertThat(plain).hasToString("mqtt.example.com:1883");
        assertThat(plain.version()).isEqualTo(Version.V5);
        assertThat(plain.tls()).isEmpty();

        Broker secured = Broker.of(Map.of("url", "mqtts://[::1]:9/", "version", "3.1.1", "user", "u", "password", "p"));
        assertThat(secured).hasToString("[::1]:9");
        assertThat(secured.host()).isEqualTo("::1");
        assertThat(secured.tls()).isPresent();
        assertThat(Broker.of(Map.of("url", "mqtts://h")).port()).isEqualTo(8_883);
    }

    @Test
    void saysWhyAResourceCannotBeUsed() {
        Map<String, Map<String, String>> problems = new HashMap<>();
        problems.put("it has host (known: certificate_pem,", Map.of("host", "h"));
        problems.put("its url is none of a broker", Map.of());
        problems.put("its url is none of a broker (", Map.of("url", "mqtt://u:p@h"));
        problems.put("its url is none of a broker (expected", Map.of("url", "ws://h"));
        problems.put("its version is 4", Map.of("url", "mqtt://h", "version", "4"));
        problems.put("it has a password without a user", Map.of("url", "mqtt://h", "password", "p"));
        problems.put("it has only one of", Map.of("url", "mqtts://h", "key_pem", "k"));
        problems.put("it holds no certificate", Map.of("url", "mqtts://h", "root_certificate_pem", "secret"));
        problems.forEach((problem, resource) -> assertThatThrownBy(() -> Broker.of(resource))
                .as(problem)
                .isInstanceOf(Broker.Unusable.class)
                .hasMessageStartingWith(problem)
                .message()
                .doesNotContain("secret", "u:p"));
    }
}
