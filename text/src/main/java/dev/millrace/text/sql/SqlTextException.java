package dev.millrace.text.sql;

/** The text of a script in SQL cannot be used. The message says what is wrong and what to do. */
public final class SqlTextException extends RuntimeException {
    SqlTextException(String message) {
        super(message);
    }
}
