package dev.millrace.scheduler.log;

/**
 * Limits of one look at a log.
 *
 * @param chunksMax number of chunks looked at, whether they fit or not
 * @param bytesMax text looked at; the last chunk may exceed it
 */
record LogLook(int chunksMax, int bytesMax) {}
