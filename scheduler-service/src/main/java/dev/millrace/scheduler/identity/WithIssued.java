package dev.millrace.scheduler.identity;

/** Which tokens end with the token by which they were issued. */
enum WithIssued {
    /** None: the token goes out of use, and nobody distrusts it. */
    NONE,
    /** Those of the same user or service account: whoever has stolen a token may have issued others by it. */
    OF_SAME_PRINCIPAL,
    /** All, those of workers and of other users and service accounts included. */
    ALL
}
