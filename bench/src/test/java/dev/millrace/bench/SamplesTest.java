package dev.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

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
}
