package dev.millrace.gateway.blob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteRangeTest {

    @Test
    void readsOneRange() {
        assertThat(ByteRange.of("bytes=0-0", 10)).hasValue(new ByteRange(0, 1));
        assertThat(ByteRange.of("bytes=3-", 10)).hasValue(new ByteRange(3, 7));
        assertThat(ByteRange.of("Bytes=3-99", 10)).hasValue(new ByteRange(3, 7));
        assertThat(ByteRange.of("bytes=-4", 10)).hasValue(new ByteRange(6, 4));
        assertThat(ByteRange.of("bytes=-40", 10)).hasValue(new ByteRange(0, 10));
        assertThat(new ByteRange(3, 7).text(10)).isEqualTo("bytes 3-9/10");
    }

    @Test
    void knowsThatThereIsNothing() {
        for (var header : new String[] {"bytes=10-", "bytes=10-20", "bytes=-0", "bytes=999999999999999999-"}) {
            assertThat(ByteRange.of(header, 10).orElseThrow().isSatisfiable())
                    .as(header)
                    .isFalse();
        }
        assertThat(ByteRange.of("bytes=0-", 0).orElseThrow().isSatisfiable()).isFalse();
    }

    @Test
    void ignoresWhatIsNoSingleRange() {
        for (var header : new String[] {
            "", "bytes=", "bytes=-", "bytes=5-3", "bytes=0-1,4-5", "lines=0-1", "bytes=x-", "bytes=9999999999999999999-"
        }) {
            assertThat(ByteRange.of(header, 10)).as(header).isEmpty();
        }
    }
}
