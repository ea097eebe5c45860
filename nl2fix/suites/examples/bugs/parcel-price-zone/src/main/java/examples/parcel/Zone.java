package examples.parcel;

/** How far a parcel goes. */
public enum Zone {
    DOMESTIC,
    NEIGHBOUR,
    OVERSEAS
}
