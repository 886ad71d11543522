package dev.millrace.scheduler.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressGroupTest {
    @Test
    void addressesOfOneNetworkCountTogether() {
        assertThat(AddressGroup.of("2001:db8:1:2:3:4:5:6")).isEqualTo("2001:db8:1:2::/64");
        assertThat(AddressGroup.of("2001:db8:1:2::9%eth0")).isEqualTo("2001:db8:1:2::/64");
        assertThat(AddressGroup.of("2001:db8:1:3::9")).isNotEqualTo(AddressGroup.of("2001:db8:1:2::9"));
    }

    @Test
    void networksOfOneSiteCountTogetherWhereSitesCount() {
        assertThat(AddressGroup.siteOf("2001:db8:1:2:3:4:5:6")).isEqualTo("2001:db8:1::/48");
        assertThat(AddressGroup.siteOf("2001:db8:1:3::9")).isEqualTo("2001:db8:1::/48");
        assertThat(AddressGroup.siteOf("192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(AddressGroup.of(AddressGroup.siteOf("2001:db8:1:2::9"))).isEqualTo("2001:db8:1::/48");
    }

    @Test
    void othersCountForThemselves() {
        assertThat(AddressGroup.of("192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(AddressGroup.of("::ffff:192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(AddressGroup.of("service-account:ci")).isEqualTo("service-account:ci");
        assertThat(AddressGroup.of("")).isEmpty();
    }
}
