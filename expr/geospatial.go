package expr

import (
	"math"

	"farad/expr/message"
)

// geospatialFunctions are those of 02-expressions §10.5.
var geospatialFunctions = map[string]*function{
	"GEO_DISTANCE": {argumentsMin: 4, argumentsMax: 4, usage: "GEO_DISTANCE(latitude, longitude, latitude, longitude) in degrees", apply: geoDistance},
}

// earthRadiusMetres is the mean radius.
const earthRadiusMetres = 6_371_000

// geoDistance is the great-circle distance in metres by the haversine formula.
// Longitudes may wrap around; a latitude beyond a pole is no place.
func geoDistance(_ *environment, a []message.Value) message.Value {
	var degrees [4]float64
	for i, v := range a {
		degrees[i] = v.Number().AsFloat()
	}
	const pole = 90
	if !(math.Abs(degrees[0]) <= pole) || !(math.Abs(degrees[2]) <= pole) {
		return notANumber()
	}
	latitude, other := radians(degrees[0]), radians(degrees[2])
	ofLatitude := math.Sin((other - latitude) / 2)
	ofLongitude := math.Sin(radians(degrees[3]-degrees[1]) / 2)
	h := ofLatitude*ofLatitude + math.Cos(latitude)*math.Cos(other)*ofLongitude*ofLongitude
	return message.FloatValue(2 * earthRadiusMetres * math.Asin(math.Sqrt(min(h, 1))))
}
