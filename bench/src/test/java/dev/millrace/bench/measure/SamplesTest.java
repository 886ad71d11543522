package dev.millrace.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SamplesTest {
    @Test
    void takesTheMiddleOfAnOddNumber() {
        assertThat(Samples.of(9, 1, 5).median()).isEqualTo(5);
    }

    @Test
    void takesTheMeanOfTheTwoInTheMiddleOfAnEvenNumber() {
        assertThat(Samples.of(4, 1, 2, 100).median()).isEqualTo(3);
    }

    @Test
    void aPercentileIsTheSampleThatSoManyDoNotExceed() {
        Samples hundred =
                Samples.of(IntStream.rangeClosed(1, 100).asDoubleStream().toArray());

        assertThat(hundred.percentile(50)).isEqualTo(50);
        assertThat(hundred.percentile(99)).isEqualTo(99);
        assertThat(Samples.of(7).percentile(99)).isEqualTo(7);
    }
}
