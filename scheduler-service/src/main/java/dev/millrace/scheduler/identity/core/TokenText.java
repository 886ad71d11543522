package dev.millrace.scheduler.identity.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;

/**
 * Text of a token: {@code mr}, the letter of its kind, {@code _}, 32 random characters and a checksum of 6, all of them
 * letters and digits. Scanners for leaked secrets recognize it, and a token with a typing error is refused without a
 * look into the database.
 */
public record TokenText(TokenKind kind, String text) {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM_LENGTH = 32;
    private static final int CHECKSUM_LENGTH = 6;
    private static final int PREFIX_LENGTH = 4;
    private static final int LENGTH = PREFIX_LENGTH + RANDOM_LENGTH + CHECKSUM_LENGTH;

    /** A new token. */
    public static TokenText make(TokenKind kind, RandomGenerator random) {
        StringBuilder text =
                new StringBuilder(LENGTH).append("mr").append(kind.letter()).append('_');
        for (int index = 0; index < RANDOM_LENGTH; index++) {
            text.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
        }
        return new TokenText(kind, text + checksum(text.toString()));
    }

    /** The token with this text; empty if the text is no token, for example because of a typing error. */
    public static Optional<TokenText> parse(String text) {
        if (text.length() != LENGTH || !text.startsWith("mr") || text.charAt(PREFIX_LENGTH - 1) != '_') {
            return Optional.empty();
        }
        int end = LENGTH - CHECKSUM_LENGTH;
        for (int index = PREFIX_LENGTH; index < LENGTH; index++) {
            if (DIGITS.indexOf(text.charAt(index)) < 0) {
                return Optional.empty();
            }
        }
        return checksum(text.substring(0, end)).equals(text.substring(end))
                ? TokenKind.of(text.charAt(2)).map(kind -> new TokenText(kind, text))
                : Optional.empty();
    }

    /** Hides the text, so that no log shows it. */
    @Override
    public String toString() {
        return text.substring(0, PREFIX_LENGTH) + "…";
    }

    private static String checksum(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(US_ASCII));
        char[] digits = new char[CHECKSUM_LENGTH];
        long rest = crc.getValue();
        for (int index = CHECKSUM_LENGTH - 1; index >= 0; index--) {
            digits[index] = DIGITS.charAt((int) (rest % DIGITS.length()));
            rest /= DIGITS.length();
        }
        return new String(digits);
    }
}
