package dev.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRuleTest {
    private static final AddressRule STRICT = new AddressRule(false, "millrace.some.allow-private");
    private static final AddressRule OPEN = new AddressRule(true, "millrace.some.allow-private");

    @Test
    void givesTheSameReasonEachTime() {
        for (int times = 0; times < 2; times++) {
            assertThatThrownBy(() -> OPEN.resolve("broker.invalid"))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessage("the address of broker.invalid cannot be looked up");
        }
    }

    @Test
    void leavesOutAddressesThatAreNotPublic() throws UnknownHostException {
        InetAddress[] both = {InetAddress.getByName("10.0.0.7"), InetAddress.getByName("93.184.216.34")};

        assertThat(STRICT.resolve("db.example", host -> both)).containsExactly(both[1]);
        assertThat(OPEN.resolve("db.example", host -> both)).containsExactly(both);
    }

    @Test
    void saysWhichSettingAllowsAHost() throws UnknownHostException {
        InetAddress inside = InetAddress.getByName("10.0.0.7");

        assertThatThrownBy(() -> STRICT.resolve("db.internal", host -> new InetAddress[] {inside}))
                .isInstanceOfSatisfying(
                        AddressRule.Refused.class,
                        refused -> assertThat(refused.addresses()).containsExactly(inside))
                .hasMessage(
                        "db.internal has no public address; the setting millrace.some.allow-private allows other ones");
    }

    @Test
    void needsOneHostOfAListOnly() {
        assertThatCode(() -> STRICT.requireAny(List.of("127.0.0.1", "93.184.216.34")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> STRICT.requireAny(List.of("127.0.0.1", "::1")))
                .hasMessageContainingAll("127.0.0.1 has no public address", "; ::1 has no public address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "::1", "fd00::1"})
    void checksSocketsRightBeforeTheyConnect(String address) {
        var endpoint = new InetSocketAddress(address, 5_432);

        assertThatThrownBy(() -> STRICT.require(endpoint)).isInstanceOf(AddressRule.Refused.class);
        assertThatCode(() -> OPEN.require(endpoint)).doesNotThrowAnyException();
    }

    @Test
    void refusesSocketsWithoutAnAddress() {
        assertThatThrownBy(() -> STRICT.require(InetSocketAddress.createUnresolved("db.invalid", 5_432)))
                .hasMessage("the host db.invalid is unknown");
        assertThatThrownBy(() -> OPEN.require(UnixDomainSocketAddress.of("/tmp/db")))
                .isInstanceOf(UnknownHostException.class);
    }
}
